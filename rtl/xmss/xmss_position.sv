// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Counts the leaves of a command, and the nodes from a leaf upward.
//
// The leaves of a node come one after the other. Leaf i completes one node per trailing one bit of
// i. The left child of each is already stored in the path slot of its height.
module xmss_position
  import xmss_pkg::*;
  import xmss_control_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire go_i,  // a command begins
    input wire [31:0] leaf_i,  // the command's leaf
    input wire [4:0] node_height_i,  // the height of its node
    input wire another_i,  // the next leaf of a node begins
    input wire node_i,  // a node is there, the one above it is next
    input wire is_leaf_i,  // CmdLeaf or CmdNode is in work
    input wire lms_i,
    input wire [4:0] tree_height_i,
    output logic [31:0] index_o,
    output logic [4:0] height_o,  // nodes above the leaf
    output place_t place_o,
    output climb_t climb_o,
    output slot_t side_o,  // of the node beside the path
    output slot_t keep_o  // of the node that the leaf completes
);
  logic [31:0] index_q;
  logic [4:0] level_q, node_height_q;
  logic [20:0] above_q;

  // Nodes that the leaf completes.
  logic [ 4:0] merges;
  always_comb begin
    merges = MaxHeight;
    for (int i = int'(MaxHeight) - 1; i >= 0; i--) begin
      if (!index_q[i] || 5'(i) == node_height_q) merges = 5'(i);
    end
  end
  assign height_o = is_leaf_i ? merges : tree_height_i;
  assign place_o  = '{index: index_q, node: above_q};
  assign climb_o  = '{alone: merges == '0, top: merges == node_height_q, ends: level_q + 5'd1 == height_o};
  assign side_o   = lms_i ? slot_t'(Len) + slot_t'(level_q) + slot_t'(node_i) : '0;
  assign keep_o   = slot_t'(Len) + slot_t'(merges);

  always_comb begin
    index_o = index_q;
    if (another_i) index_o = index_q + 32'd1;
    if (go_i) index_o = leaf_i;
  end

  always_ff @(posedge clk_i) begin
    if (node_i) begin
      above_q <= above_q >> 1;
      level_q <= level_q + 5'd1;
    end
    if (go_i || another_i) begin
      index_q <= index_o;
      above_q <= 21'(index_o) | 21'd1 << tree_height_i;
      level_q <= '0;
    end
    if (go_i) node_height_q <= node_height_i;
    if (!rst_ni) {index_q, level_q, above_q, node_height_q} <= '0;
  end
endmodule

`default_nettype wire
