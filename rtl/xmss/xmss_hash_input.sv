// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Builds the next block that is hashed outside of chains and nodes: from the key, the stream and
// the last hashes, which it holds.
module xmss_hash_input
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_hash_pkg::*;
  import xmss_control_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire load_i,  // a key begins
    input wire public_i,  // it is a public one
    input wire kind_t kind_i,
    input wire state_e state_i,
    input wire absorbing_i,  // the ends of the chains are hashed, not the message
    input wire events_t events_i,
    input wire place_t place_i,
    input wire item_t item_i,
    input wire block_first_i,
    input wire block_t block_i,
    input wire done_i,  // a hash has ended
    input wire state_t hash_i,
    input wire state_t root_i,  // the node beside the path, at last the root of XMSS
    output logic item_last_o,  // the value is the key's last one
    output logic item_hash_o,  // the value is to be hashed
    output raw_t raw_o,
    output values_t values_o,
    output state_t r_o,  // r or C, or a leaf or node of LMS
    output state_t node_o,  // the last node
    output logic same_o  // it is the key's root
);
  logic   block_first_q;
  block_t block_q;
  state_t r_q, chain_q;
  item_e item;
  keys_t keys;
  assign values_o = {keys.seed, keys.secret, keys.pub_seed, keys.root, chain_q};
  assign r_o = state_i inside {StLeaf, StNode2} ? hash_i : r_q;
  assign node_o = kind_i.lms ? r_q : root_i;
  wire unused = &{events_i.another, events_i.node};

  assign item_last_o = item == ItemRoot;
  xmss_key u_key (
      .clk_i,
      .rst_ni,
      .load_i,
      .public_i,
      .kind_i,
      .take_i  (events_i.item),
      .item_i,
      .hashed_i(events_i.item_hashed),
      .hash_i,
      .item_o  (item),
      .hash_o  (item_hash_o),
      .keys_o  (keys),
      .root_i  (node_o),
      .same_o
  );

  logic [1:0][15:0][31:0] lms_blocks;
  xmss_lms_input u_lms_input (
      .state_i,
      .n24_i(kind_i.n24),
      .absorbing_i,
      .place_i,
      .id_i(keys.pub_seed[3:0]),
      .ends_i(chain_q),
      .node_i(r_q),
      .side_i(root_i),
      .blocks_o(lms_blocks)
  );

  // The first block of a message, or of the ends of the chains, has room for what precedes them.
  block_t filled;
  always_comb begin
    filled = block_i;
    if (block_first_i && absorbing_i) begin
      filled[4:0] = lms_blocks[0][4:0];
      filled[5][31:16] = lms_blocks[0][5][31:16];
    end else if (block_first_i && kind_i.lms && kind_i.n24) begin
      filled[10:0] = lms_blocks[0][10:0];
      filled[11][31:16] = lms_blocks[0][11][31:16];
    end else if (block_first_i && kind_i.lms) begin
      filled[12:0] = lms_blocks[0][12:0];
      filled[13][31:16] = lms_blocks[0][13][31:16];
    end else if (block_first_i && kind_i.n24) begin
      filled[2:0] = {place_i.index, 64'd0};
    end
  end

  state_t index;
  assign index = {place_i.index, 224'd0};
  // toByte(X, n) fills one word with n = 24 and the first eight with n = 32.
  type_e item_type;
  assign item_type = item == ItemSecret ? TypeKeygen : TypePrf;
  always_comb begin
    raw_o.state = InitialState;
    raw_o.block = '0;
    unique case (state_i)
      StItemRaw:
      if (kind_i.n24) raw_o.block[12:0] = {item_i.value[5:0], keys.secret[5:0], 32'(TypeKeygen)};
      else raw_o.block = {item_i.value, 32'(item_type), 224'd0};
      StRandom:
      if (kind_i.lms) begin
        raw_o.state = {64'd0, RandomizerNumber, 16'd0, place_i.index, keys.pub_seed[3:0]};
        raw_o.block[15:8] = keys.secret;
      end else if (kind_i.n24 && !kind_i.plain) begin
        raw_o.block = {Mark, index, keys.prf[5:0], 32'(TypePrf)};
      end else begin
        raw_o.state = keys.prf;
        raw_o.block[8:0] = {Mark, index};
        raw_o.block[15] = PrfBitsN32;
      end
      StRandom2: begin
        raw_o.state = chain_q;
        raw_o.block[15] = PrfBitsN24;
      end
      StHead1:
      if (kind_i.n24) raw_o.block[12:0] = {keys.root[5:0], r_q[5:0], 32'(TypeMessage)};
      else raw_o.block = {r_q, 32'(TypeMessage), 224'd0};
      StHead2: begin
        raw_o.state = chain_q;
        raw_o.block = {index, keys.root};
      end
      StLeaf, StNode1: raw_o.block = lms_blocks[0];
      StNode2: begin
        raw_o.state = chain_q;
        raw_o.block = lms_blocks[1];
      end
      default: begin
        if (!block_first_q || !(kind_i.lms || absorbing_i)) raw_o.state = chain_q;
        raw_o.block = block_q;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (events_i.head) r_q <= item_i.value;
    if (done_i && state_i inside {StRandom, StRandom2, StLeaf, StNode2}) r_q <= hash_i;
    if (done_i && state_i inside {StRandom, StRandom2, StHead1, StHead2, StBlockRaw, StNode1}) begin
      chain_q <= hash_i;
    end
    if (events_i.block) begin
      block_q <= filled;
      block_first_q <= block_first_i;
    end
    if (!rst_ni) {r_q, chain_q, block_q, block_first_q} <= '0;
  end
endmodule

`default_nettype wire
