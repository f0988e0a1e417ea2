// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The next work of a free lane, the first of: a block of the message hash or of a key, a secret,
// keys and masks of the L-tree's two lowest rows, a node above the lowest row whose children are
// there, the longest chain, a node of the lowest row, keys and masks of a step, keys and masks of
// the other nodes: the last fill the lanes that the chains leave.
module xmss_pick
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned CORES = 4
) (
    input wire clk_i,
    input wire rst_ni,
    input wire stop_i,  // offer nothing more
    input wire [31:0] leaf_i,
    input wire [4:0] height_i,
    input wire fly_i,  // masks are not prepared
    input wire lms_i,
    input wire n24_i,
    input wire slot_t len_i,
    // The work there is.
    input wire raw_i,
    input wire derive_i,  // it is a secret of LMS
    input wire seeds_i,
    input wire rows_i,
    input wire nodes_i,  // keys and masks of nodes
    input wire tree_i,  // nodes
    input wire path_i,  // with the path
    output logic tree_done_o,  // all nodes are under way
    // Chains.
    input wire chain_valid_i,
    input wire slot_t chain_i,
    input wire [7:0] chain_from_i,
    input wire [7:0] chain_steps_i,
    input wire chain_ends_i,
    input wire [8:0] chain_way_i,
    input wire [8:0] chain_rest_i,
    output logic chain_taken_o,
    // Nodes.
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    input wire node_done_i,  // keys and masks of a node are there
    input wire slot_t node_i,
    // To the lanes, a cycle after it was chosen; nothing in the cycle after one was taken.
    output logic waits_o,  // there is work that is not under way
    output logic valid_o,
    output pick_t pick_o,
    output logic [8:0] way_o,  // of a chain, 0 of anything else
    output slot_t left_o,  // the values it needs
    output slot_t right_o,
    output slot_t node_o,  // the keys and masks of a node
    input wire taken_i
);
  logic raw_q, seeds_q, rows_q, nodes_q, tree_q;
  slot_t seed_q, row_chain_q;
  logic [3:0] row_step_q;
  logic [9:0] row_q;
  logic [Slots-1:0] node_there_q;

  // Nodes whose keys and masks are next, nodes that are next.
  logic nodes_done, nodes_path, tree_done, tree_path;
  slot_t nodes_node, walk_node, walk_left, walk_right, walk_slot;
  slot_t [2:0] unused_slots;
  logic [4:0] nodes_height, tree_height;
  logic [31:0] nodes_index, unused_index;
  logic next_nodes, next_tree;
  xmss_walk u_nodes (
      .clk_i,
      .start_i(nodes_i || !rst_ni),
      .next_i(next_nodes),
      .len_i,
      .path_i,
      .height_i,
      .leaf_i,
      .done_o(nodes_done),
      .is_path_o(nodes_path),
      .node_o(nodes_node),
      .height_o(nodes_height),
      .index_o(nodes_index),
      .left_o(unused_slots[0]),
      .right_o(unused_slots[1]),
      .slot_o(unused_slots[2])
  );
  xmss_walk u_tree (
      .clk_i,
      .start_i(tree_i || !rst_ni),
      .next_i(next_tree),
      .len_i,
      .path_i,
      .height_i,
      .leaf_i,
      .done_o(tree_done),
      .is_path_o(tree_path),
      .node_o(walk_node),
      .height_o(tree_height),
      .index_o(unused_index),
      .left_o(walk_left),
      .right_o(walk_right),
      .slot_o(walk_slot)
  );
  wire unused = &{unused_slots, unused_index};

  // In the lowest row any node whose chains are at their ends may be next.
  logic lowest_row, node_ready;
  logic [Pairs-1:0] pairs;
  slot_t pair, tree_node, left, right, slot;
  for (genvar i = 0; i < Pairs; i++) begin : gen_pair
    assign pairs[i] = ended_i[2*i] && ended_i[2*i+1] && node_there_q[i];
  end
  // It is known a cycle later, and what was known of the node before is of no use then.
  slot_t first_pair;
  logic some_pair, ready_q, node_taken_q;
  xmss_lowest #(
      .COUNT(Pairs)
  ) u_pair (
      .bits_i  (pairs),
      .some_o  (some_pair),
      .lowest_o(first_pair)
  );
  always_ff @(posedge clk_i) begin
    pair <= first_pair;
    ready_q <= rst_ni && node_ready;
    node_taken_q <= rst_ni && next_tree;
  end
  assign lowest_row = !tree_path && tree_height == '0;
  assign tree_node = lowest_row ? pair : walk_node;
  assign left = lowest_row ? pair << 1 : walk_left;
  assign right = lowest_row ? (pair << 1) + 7'd1 : walk_right;
  assign slot = lowest_row ? slot_t'(Lowest) + pair : walk_slot;
  assign node_ready = lowest_row ? some_pair : ended_i[walk_left] && ended_i[walk_right] && node_there_q[walk_node];
  assign tree_done_o = tree_done;

  // Many lanes make those of the path when the L-tree leaves most of them idle.
  logic later;
  assign later = CORES >= 8 && nodes_path && !tree_path && tree_height < 5'd2;

  logic raw, node, first_node, seed, early, chain, row, nodes;
  assign raw = raw_q || raw_i;
  assign node = tree_q && !tree_done && ready_q && !node_taken_q;
  assign first_node = node && !((lowest_row && chain) || early || seed);
  assign early = nodes && !nodes_path && nodes_height < 5'd2;
  assign seed = seeds_q;
  assign chain = chain_valid_i;
  assign row = rows_q;
  assign nodes = nodes_q && !nodes_done && !(later && tree_q);
  assign waits_o = raw || node || seed || chain || row || nodes;

  pick_t pick;
  always_comb begin
    pick = '0;
    pick.address_4 = leaf_i;
    if (raw) begin
      pick.source = FromRaw;
      pick.job = '{op: derive_i ? OpChain : OpRaw, from : 8'hff, steps: 8'd1};
    end else if (first_node) begin
      pick.source = FromNode;
      pick.job.op = OpPair;
      pick.tag = '{dest: DestEnd, index: {4'd0, slot}};
    end else if (seed) begin
      pick.source = FromSeed;
      pick.job = '{op: lms_i ? OpChain : n24_i ? OpRaw : OpPair, from : 8'hff, steps: 8'd1};
      pick.address_5 = {25'd0, seed_q};
      pick.tag = '{dest: DestStart, index: {4'd0, seed_q}};
    end else if (chain && !early) begin
      pick.source = FromChain;
      pick.rest = chain_rest_i;
      pick.job = '{op: fly_i ? OpFly : OpChain, from : chain_from_i, steps: chain_steps_i};
      pick.row = {chain_i[5:0], 4'd0} - {3'd0, chain_i} + {6'd0, chain_from_i[3:0]};
      pick.address_5 = {25'd0, chain_i};
      pick.tag = '{dest: chain_ends_i ? DestEnd : DestStart, index: {chain_from_i[3:0] + chain_steps_i[3:0], chain_i}};
    end else if (row && !early) begin
      pick.source = FromRow;
      pick.job.op = OpRow;
      pick.job.from = {4'd0, row_step_q};
      pick.address_5 = {25'd0, row_chain_q};
      pick.tag = '{dest: DestRow, index: {1'b0, row_q}};
    end else begin
      pick.source = FromNodeRow;
      pick.job.op = OpNodeRow;
      pick.address_type = nodes_path ? 4'd2 : 4'd1;
      if (nodes_path) pick.address_4 = '0;
      pick.address_5 = {27'd0, nodes_height};
      pick.address_6 = nodes_index;
      pick.tag = '{dest: DestNodeRow, index: {4'd0, nodes_node}};
    end
  end

  always_ff @(posedge clk_i) begin
    valid_o <= waits_o && !taken_i && !stop_i && rst_ni;
    pick_o  <= pick;
    way_o   <= pick.source == FromChain ? chain_way_i : '0;
    left_o  <= pick.source == FromNode ? left : chain_i;
    right_o <= right;
    node_o  <= tree_node;
  end

  logic take;
  assign take = taken_i && valid_o;
  assign chain_taken_o = take && pick_o.source == FromChain;
  assign next_nodes = take && pick_o.source == FromNodeRow;
  assign next_tree = take && pick_o.source == FromNode;
  always_comb begin
    used_o = '0;
    if (next_tree) begin
      used_o[left_o]  = 1'b1;
      used_o[right_o] = 1'b1;
    end
  end

  logic last_step, last_row;
  assign last_step = row_step_q == 4'(Steps - 1);
  assign last_row  = last_step && row_chain_q == len_i - 7'd1;
  always_ff @(posedge clk_i) begin
    if (seeds_i || !rst_ni) seed_q <= '0;
    else if (take && pick_o.source == FromSeed) seed_q <= seed_q + 7'd1;
    if (rows_i || !rst_ni) begin
      {row_chain_q, row_step_q, row_q} <= '0;
    end else if (take && pick_o.source == FromRow) begin
      row_q <= row_q + 10'd1;
      row_step_q <= last_step ? '0 : row_step_q + 4'd1;
      if (last_step) row_chain_q <= row_chain_q + 7'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take && pick_o.source == FromRaw) raw_q <= 1'b0;
    else if (raw_i) raw_q <= 1'b1;
    if (seeds_i) seeds_q <= 1'b1;
    else if (take && pick_o.source == FromSeed && seed_q == len_i - 7'd1) seeds_q <= 1'b0;
    if (rows_i) rows_q <= 1'b1;
    else if (take && pick_o.source == FromRow && last_row) rows_q <= 1'b0;
    if (nodes_i) nodes_q <= 1'b1;
    if (tree_i) tree_q <= 1'b1;
    if (node_done_i) node_there_q[node_i] <= 1'b1;
    if (nodes_i || !rst_ni) node_there_q <= '0;
    if (!rst_ni || stop_i) begin
      raw_q   <= 1'b0;
      seeds_q <= 1'b0;
      rows_q  <= 1'b0;
      nodes_q <= 1'b0;
      tree_q  <= 1'b0;
    end
  end
endmodule

`default_nettype wire
