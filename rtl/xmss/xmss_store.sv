// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The memories: values (two reads), keys and masks of chain steps, keys and masks of nodes. A word
// that is read comes in the next cycle. `wipe_i` writes zeros over all of them, 1,024 cycles;
// nothing else may be written meanwhile.
module xmss_store
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire wipe_i,
    output logic wiping_o,
    // Values.
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    input wire slot_t left_slot_i,
    output state_t left_o,
    input wire slot_t right_slot_i,
    output state_t right_o,
    // Keys and masks of steps: part 0 and 1 of a row.
    input wire row_write_i,
    input wire node_write_i,
    input wire [1:0] part_i,
    input wire [9:0] index_i,
    input wire state_t part_value_i,
    input wire [9:0] row_i,
    output state_t row_key_o,
    output state_t row_mask_o,
    // Keys and masks of nodes: part 0, 1 and 2.
    input wire slot_t node_i,
    output state_t node_key_o,
    output state_t node_mask0_o,
    output state_t node_mask1_o
);
  state_t values_q[Slots];
  state_t row_key_q[1024], row_mask_q[1024];
  state_t node_key_q[Slots], node_mask0_q[Slots], node_mask1_q[Slots];

  logic [9:0] wipe_q, index;
  logic wiping_q;
  state_t part, value;
  slot_t slot;
  assign wiping_o = wiping_q;
  assign index = wiping_q ? wipe_q : index_i;
  assign slot = wiping_q ? wipe_q[6:0] : value_slot_i;
  assign part = wiping_q ? '0 : part_value_i;
  assign value = wiping_q ? '0 : value_i;

  always_ff @(posedge clk_i) begin
    left_o <= values_q[left_slot_i];
    right_o <= values_q[right_slot_i];
    row_key_o <= row_key_q[row_i];
    row_mask_o <= row_mask_q[row_i];
    node_key_o <= node_key_q[node_i];
    node_mask0_o <= node_mask0_q[node_i];
    node_mask1_o <= node_mask1_q[node_i];
    if (value_write_i || wiping_q) values_q[slot] <= value;
    if ((row_write_i && part_i == 2'd0) || wiping_q) row_key_q[index] <= part;
    if ((row_write_i && part_i == 2'd1) || wiping_q) row_mask_q[index] <= part;
    if ((node_write_i && part_i == 2'd0) || wiping_q) node_key_q[index[6:0]] <= part;
    if ((node_write_i && part_i == 2'd1) || wiping_q) node_mask0_q[index[6:0]] <= part;
    if ((node_write_i && part_i == 2'd2) || wiping_q) node_mask1_q[index[6:0]] <= part;
  end

  always_ff @(posedge clk_i) begin
    wipe_q <= wiping_q && rst_ni && !wipe_i ? wipe_q + 10'd1 : '0;
    if (!rst_ni || wipe_i) wiping_q <= 1'b1;
    else if (&wipe_q) wiping_q <= 1'b0;
  end
endmodule

`default_nettype wire
