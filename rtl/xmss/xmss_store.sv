// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The ports of the memories: values (two reads), keys and masks of chain steps, keys and masks of
// nodes. A word comes `SRAM_LATENCY` cycles after its address. The left value shares its port with
// the writing of values; steps and nodes have one port each: where a word is written none is read
// there. `wipe_i` writes zeros over all memories, in 1,024 cycles; nothing else may be written
// meanwhile. `erase_i` does the same, but says so by `erasing_o`: a key stays.
module xmss_store
  import sha256_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned SRAM_LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire wipe_i,
    output logic wiping_o,
    input wire erase_i,
    output logic erasing_o,
    // Values.
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    input wire slot_t left_slot_i,
    input wire slot_t right_slot_i,
    // Keys and masks of steps: part 0 and 1 of a row.
    input wire row_write_i,
    input wire node_write_i,
    input wire [1:0] part_i,
    input wire [9:0] index_i,
    input wire state_t part_value_i,
    input wire [9:0] row_i,
    // Keys and masks of nodes: part 0, 1 and 2.
    input wire slot_t node_i,
    output stored_words_t words_o
);
  logic [9:0] wipe_q;
  logic wiping_q, erasing_q, zeros;
  assign wiping_o = wiping_q;
  assign erasing_o = erasing_q;
  assign zeros = wiping_q || erasing_q;

  logic value_write;
  logic [1:0] row_write;
  logic [2:0] node_write;
  assign value_write = value_write_i || zeros;
  for (genvar i = 0; i < 2; i++) begin : gen_row_write
    assign row_write[i] = (row_write_i && part_i == 2'(i)) || zeros;
  end
  for (genvar i = 0; i < 3; i++) begin : gen_node_write
    assign node_write[i] = (node_write_i && part_i == 2'(i)) || zeros;
  end

  stored_words_t words;
  xmss_memories u_memories (
      .clk_i,
      .value_write_i(value_write),
      .value_slot_i(zeros ? wipe_q[6:0] : value_write_i ? value_slot_i : left_slot_i),
      .value_i(zeros ? '0 : value_i),
      .value_o(words.left),
      .other_slot_i(right_slot_i),
      .other_o(words.right),
      .row_write_i(row_write),
      .row_i(zeros ? wipe_q : row_write_i ? index_i : row_i),
      .part_i(zeros ? '0 : part_value_i),
      .row_o({words.row_mask, words.row_key}),
      .node_write_i(node_write),
      .node_i(zeros ? wipe_q[6:0] : node_write_i ? index_i[6:0] : node_i),
      .node_o({words.node_mask1, words.node_mask0, words.node_key})
  );

  if (SRAM_LATENCY == 1) begin : gen_direct
    assign words_o = words;
  end else if (SRAM_LATENCY == 2) begin : gen_register
    always_ff @(posedge clk_i) words_o <= words;
  end else begin : gen_wrong
    $error("SRAM_LATENCY is 1 or 2");
  end

  always_ff @(posedge clk_i) begin
    wipe_q <= zeros && rst_ni && !wipe_i ? wipe_q + 10'd1 : '0;
    if (!rst_ni || wipe_i) wiping_q <= 1'b1;
    else if (&wipe_q) wiping_q <= 1'b0;
    erasing_q <= rst_ni && !wipe_i && (erase_i || (erasing_q && !(&wipe_q)));
  end
endmodule

`default_nettype wire
