// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In place of the memories where a whole engine is proven to be wiped: the last word written to
// each memory, which is zero while the memories are wiped. Here that takes 32 cycles.
`default_nettype none

module xmss_store
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire wipe_i,
    output logic wiping_o,
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    input wire slot_t left_slot_i,
    output state_t left_o,
    input wire slot_t right_slot_i,
    output state_t right_o,
    input wire row_write_i,
    input wire node_write_i,
    input wire [1:0] part_i,
    input wire [9:0] index_i,
    input wire state_t part_value_i,
    input wire [9:0] row_i,
    output state_t row_key_o,
    output state_t row_mask_o,
    input wire slot_t node_i,
    output state_t node_key_o,
    output state_t node_mask0_o,
    output state_t node_mask1_o
);
  logic [4:0] wipe_q;
  logic wiping_q;
  assign wiping_o = wiping_q;

  state_t value_q, row_key_q, row_mask_q, node_key_q, node_mask0_q, node_mask1_q, part;
  assign part = wiping_q ? '0 : part_value_i;
  always_ff @(posedge clk_i) begin
    left_o <= value_slot_i == left_slot_i ? value_q : '0;
    right_o <= value_slot_i == right_slot_i ? value_q : '0;
    row_key_o <= index_i == row_i ? row_key_q : '0;
    row_mask_o <= index_i == row_i ? row_mask_q : '0;
    node_key_o <= index_i[6:0] == node_i ? node_key_q : '0;
    node_mask0_o <= index_i[6:0] == node_i ? node_mask0_q : '0;
    node_mask1_o <= index_i[6:0] == node_i ? node_mask1_q : '0;
    if (value_write_i || wiping_q) value_q <= wiping_q ? '0 : value_i;
    if ((row_write_i && part_i == 2'd0) || wiping_q) row_key_q <= part;
    if ((row_write_i && part_i == 2'd1) || wiping_q) row_mask_q <= part;
    if ((node_write_i && part_i == 2'd0) || wiping_q) node_key_q <= part;
    if ((node_write_i && part_i == 2'd1) || wiping_q) node_mask0_q <= part;
    if ((node_write_i && part_i == 2'd2) || wiping_q) node_mask1_q <= part;
  end

  always_ff @(posedge clk_i) begin
    wipe_q <= wiping_q && rst_ni && !wipe_i ? wipe_q + 5'd1 : '0;
    if (!rst_ni || wipe_i) wiping_q <= 1'b1;
    else if (&wipe_q) wiping_q <= 1'b0;
  end
endmodule

`default_nettype wire
