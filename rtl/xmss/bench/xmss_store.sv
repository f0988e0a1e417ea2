// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In place of the memories where an engine is mapped to standard cells (`whole.toml`): the ports
// with one word behind each memory. The rest of the engine keeps all its logic; the words are
// counted as a part of their own.
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
  logic [9:0] wipe_q;
  logic wiping_q, value_hit, index_hit, left_hit, right_hit, row_hit, node_hit;
  assign wiping_o  = wiping_q;
  assign value_hit = wiping_q || (value_write_i && value_slot_i == '1);
  assign index_hit = wiping_q || index_i == '1;
  assign left_hit  = left_slot_i == '1;
  assign right_hit = right_slot_i == '1;
  assign row_hit   = row_i == '1;
  assign node_hit  = node_i == '1;

  state_t value_q, row_key_q, row_mask_q, node_key_q, node_mask0_q, node_mask1_q;
  always_ff @(posedge clk_i) begin
    left_o <= left_hit ? value_q : '0;
    right_o <= right_hit ? value_q : '0;
    row_key_o <= row_hit ? row_key_q : '0;
    row_mask_o <= row_hit ? row_mask_q : '0;
    node_key_o <= node_hit ? node_key_q : '0;
    node_mask0_o <= node_hit ? node_mask0_q : '0;
    node_mask1_o <= node_hit ? node_mask1_q : '0;
    if (value_hit) value_q <= value_i;
    if (index_hit && row_write_i && part_i == 2'd0) row_key_q <= part_value_i;
    if (index_hit && row_write_i && part_i == 2'd1) row_mask_q <= part_value_i;
    if (index_hit && node_write_i && part_i == 2'd0) node_key_q <= part_value_i;
    if (index_hit && node_write_i && part_i == 2'd1) node_mask0_q <= part_value_i;
    if (index_hit && node_write_i && part_i == 2'd2) node_mask1_q <= part_value_i;
  end

  always_ff @(posedge clk_i) begin
    wipe_q <= wiping_q && rst_ni && !wipe_i ? wipe_q + 10'd1 : '0;
    if (!rst_ni || wipe_i) wiping_q <= 1'b1;
    else if (&wipe_q) wiping_q <= 1'b0;
  end
endmodule

`default_nettype wire
