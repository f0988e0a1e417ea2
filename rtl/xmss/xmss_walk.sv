// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The nodes above the chains one by one: the L-tree of RFC 8391, Algorithm 8 (ltree), row by row,
// then the path to the root.
//
// A row's last node that has no neighbour stays in its slot and is the last of the row above; every
// other node lies in the slot of its index, those of the lowest row from Lowest on, since they may
// come in any order.
module xmss_walk
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire start_i,
    input wire next_i,
    input wire slot_t len_i,
    input wire path_i,  // go on to the root
    input wire [4:0] height_i,
    input wire [31:0] leaf_i,
    output logic done_o,
    output logic is_path_o,
    output slot_t node_o,  // its number
    output logic [4:0] height_o,  // words 5 and 6 of its address
    output logic [31:0] index_o,
    output slot_t left_o,  // slots of its children
    output slot_t right_o,
    output slot_t slot_o  // its own
);
  slot_t width_q, pair_q, node_q, odd_q;
  logic odd_there_q, is_path_q, done_q;
  logic [ 4:0] level_q;
  logic [31:0] above_q;

  logic row_ends, last_row, path_ends;
  slot_t first, right;
  assign row_ends = pair_q + 7'd1 == width_q >> 1;
  assign last_row = width_q == 7'd2;
  assign path_ends = level_q + 5'd1 == height_i;
  assign right = (pair_q << 1) + 7'd1;
  assign first = level_q == 5'd1 ? slot_t'(Lowest) : '0;

  assign done_o = done_q;
  assign is_path_o = is_path_q;
  assign node_o = node_q;
  assign height_o = level_q;
  assign index_o = is_path_q ? above_q >> 1 : {25'd0, pair_q};
  always_comb begin
    left_o  = first + (pair_q << 1);
    right_o = odd_there_q && right == width_q - 7'd1 ? odd_q : first + right;
    if (is_path_q) begin
      left_o  = above_q[0] ? slot_t'(Len) + slot_t'(level_q) : '0;
      right_o = above_q[0] ? '0 : slot_t'(Len) + slot_t'(level_q);
    end
  end
  assign slot_o = pair_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      {pair_q, node_q, odd_q, odd_there_q, is_path_q, done_q, level_q} <= '0;
      width_q <= len_i;
      above_q <= leaf_i;
    end else if (next_i) begin
      node_q <= node_q + 7'd1;
      if (is_path_q) begin
        level_q <= level_q + 5'd1;
        above_q <= above_q >> 1;
        done_q  <= path_ends;
      end else if (!row_ends) begin
        pair_q <= pair_q + 7'd1;
      end else begin
        pair_q <= '0;
        level_q <= last_row ? '0 : level_q + 5'd1;
        is_path_q <= last_row && path_i;
        done_q <= last_row && !path_i;
        width_q <= (width_q >> 1) + slot_t'(width_q[0]);
        odd_there_q <= width_q[0];
        if (width_q[0] && !odd_there_q) odd_q <= width_q - 7'd1;
      end
    end
  end
endmodule

`default_nettype wire
