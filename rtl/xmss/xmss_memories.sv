// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The memories of the engine, 655,360 bits, as a foundry's macros have them: this module alone is
// replaced by one that instantiates macros (`bench/xmss_memories.sv` does so for IHP SG13G2).
//
// A port reads or writes one word in a cycle, and its output is registered: it shows in the next
// cycle the word that was read, or the one that was written. Nobody uses the latter, nor a word
// that is read while the other port writes it. The values have two ports, of which the first one
// writes; keys and masks of steps and those of nodes have one port each.
module xmss_memories
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    // Values.
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    output state_t value_o,
    input wire slot_t other_slot_i,
    output state_t other_o,
    // Keys and masks of steps: KEY, mask.
    input wire [1:0] row_write_i,
    input wire [9:0] row_i,
    input wire state_t part_i,  // what is written there, or to nodes
    output state_t [1:0] row_o,
    // Keys and masks of nodes: KEY, both masks.
    input wire [2:0] node_write_i,
    input wire slot_t node_i,
    output state_t [2:0] node_o
);
  state_t values_q[Slots];
  always_ff @(posedge clk_i) begin
    if (value_write_i) values_q[value_slot_i] <= value_i;
    value_o <= value_write_i ? value_i : values_q[value_slot_i];
    other_o <= values_q[other_slot_i];
  end

  for (genvar i = 0; i < 2; i++) begin : gen_rows
    state_t rows_q[1024];
    always_ff @(posedge clk_i) begin
      if (row_write_i[i]) rows_q[row_i] <= part_i;
      row_o[i] <= row_write_i[i] ? part_i : rows_q[row_i];
    end
  end

  for (genvar i = 0; i < 3; i++) begin : gen_nodes
    state_t nodes_q[Slots];
    always_ff @(posedge clk_i) begin
      if (node_write_i[i]) nodes_q[node_i] <= part_i;
      node_o[i] <= node_write_i[i] ? part_i : nodes_q[node_i];
    end
  end
endmodule

`default_nettype wire
