// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// LMS hash input: I (16 bytes), number (4), type (2), then `tail`.
//
// RFC 8554, Section 5.3 (LMS Public Key) has leaves and nodes, which come with their padding;
// Section 4.3 (Public Key) and Section 4.5 (Signature Generation) have the other two.
module xmss_lms_input
  import sha256_pkg::*;
  import xmss_hash_pkg::*;
  import xmss_control_pkg::*;
(
    input wire state_e state_i,
    input wire n24_i,
    input wire absorbing_i,  // the ends of the chains are hashed, not the message
    input wire place_t place_i,
    input wire [3:0][31:0] id_i,  // I
    input wire state_t ends_i,  // the hash of the ends
    input wire state_t node_i,  // C of the message, or the node below
    input wire state_t side_i,  // the node beside it
    output logic [1:0][15:0][31:0] blocks_o
);
  logic leaf, node;
  assign leaf = state_i == StLeaf;
  assign node = state_i inside {StNode1, StNode2};

  logic [15:0] kind;
  logic [31:0] number;
  always_comb begin
    kind   = absorbing_i ? DPblc : DMesg;
    number = place_i.index;
    if (leaf) {kind, number} = {DLeaf, 11'd0, place_i.node};
    if (node) {kind, number} = {DIntr, 12'd0, place_i.node[20:1]};
  end

  state_t left, right;
  assign left  = place_i.node[0] ? side_i : node_i;
  assign right = place_i.node[0] ? node_i : side_i;

  // The mark of the padding stands behind leaf and node.
  logic [16:0][31:0] tail;
  always_comb begin
    tail = {288'd0, node_i};
    if (leaf && !n24_i) tail = {256'd0, Mark, ends_i};
    if (leaf && n24_i) tail = {320'd0, Mark, ends_i[5:0]};
    if (node && !n24_i) tail = {Mark, right, left};
    if (node && n24_i) tail = {128'd0, Mark, right[5:0], left[5:0]};
  end

  // A word of the tail stands in two words of the input.
  logic [31:0][31:0] line;
  always_comb begin
    line = '0;
    line[5:0] = {kind, tail[0][31:16], number, id_i};
    for (int unsigned i = 0; i < 16; i++) line[6+i] = {tail[i][15:0], tail[i+1][31:16]};
    if (leaf) line[15] = n24_i ? LeafBitsN24 : LeafBitsN32;
    if (node) line[31] = n24_i ? NodeBitsN24 : NodeBitsN32;
  end
  assign blocks_o = line;
endmodule

`default_nettype wire
