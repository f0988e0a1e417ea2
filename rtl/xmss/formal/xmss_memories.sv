// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In place of the memories where a whole engine is proven to be wiped: the last word written to
// each memory, which is zero while the memories are wiped.
`default_nettype none

module xmss_memories
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    output state_t value_o,
    input wire slot_t other_slot_i,
    output state_t other_o,
    input wire [1:0] row_write_i,
    input wire [9:0] row_i,
    input wire state_t part_i,
    output state_t [1:0] row_o,
    input wire [2:0] node_write_i,
    input wire slot_t node_i,
    output state_t [2:0] node_o
);
  state_t value_q;
  state_t [1:0] row_q;
  state_t [2:0] node_q;
  always_ff @(posedge clk_i) begin
    if (value_write_i) value_q <= value_i;
    value_o <= value_write_i ? value_i : value_slot_i == '0 ? value_q : '0;
    other_o <= other_slot_i == '0 ? value_q : '0;
    for (int i = 0; i < 2; i++) begin
      if (row_write_i[i]) row_q[i] <= part_i;
      row_o[i] <= row_write_i[i] ? part_i : row_i == '0 ? row_q[i] : '0;
    end
    for (int i = 0; i < 3; i++) begin
      if (node_write_i[i]) node_q[i] <= part_i;
      node_o[i] <= node_write_i[i] ? part_i : node_i == '0 ? node_q[i] : '0;
    end
  end
endmodule

`default_nettype wire
