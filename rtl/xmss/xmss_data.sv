// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The memories with what goes into them, and the operands that come out.
module xmss_data
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit SHAKE = 0,
    parameter int unsigned SRAM_LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire wipe_i,
    input wire erase_i,
    output logic erasing_o,
    output logic wiping_o,
    // Values that come: of the stream, a node that waits, a result.
    input wire item_valid_i,
    output logic item_ready_o,
    input wire slot_t item_slot_i,
    input wire state_t item_i,
    input wire kept_t kept_i,
    input wire result_t result_i,
    output result_t stored_o,  // the same, a cycle later, as all others take it
    output logic came_o,  // a value that is no end
    output slot_t came_slot_o,
    // The job that is offered: its words are read whether it is taken or not, but none is taken
    // while a value, key or mask is written.
    input wire offered_i,
    output logic hold_o,
    input wire pick_t pick_i,
    input wire slot_t left_slot_i,
    input wire slot_t right_slot_i,
    input wire slot_t node_i,
    // The job that is taken, or a row; the operands two cycles later.
    input wire job_i,
    input wire row_valid_i,
    input wire [9:0] row_i,
    output pick_t pick_o,
    output operands_t operands_o,
    // Parts of operands.
    input wire mode_e mode_i,
    input wire raw_t raw_i,
    input wire values_t values_i,
    // The table of chain values: it is filled with the results of chains, and read.
    input wire fills_i,
    input wire reads_i,
    input wire slot_t table_slot_i,
    input wire [3:0] table_step_i,
    output state_t table_o,  // the value there, `SRAM_LATENCY` cycles later
    // The value that others read while no node is offered, `SRAM_LATENCY` cycles later.
    input wire slot_t reader_i,
    output state_t read_o
);
  result_t stored_q;
  assign stored_o = stored_q;
  always_ff @(posedge clk_i) begin
    stored_q <= result_i;
    if (!rst_ni) stored_q.valid <= 1'b0;
  end

  // A result comes before a value of the stream.
  logic result_writes, item_writes, table_writes;
  assign result_writes = stored_q.valid && stored_q.tag.dest inside {DestStart, DestEnd};
  assign item_writes = item_valid_i && !result_writes;
  assign table_writes = result_writes && fills_i;
  assign item_ready_o = item_writes;
  assign came_o = item_writes || kept_i.valid || (stored_q.valid && stored_q.tag.dest == DestStart);
  assign came_slot_o = kept_i.valid ? kept_i.slot : item_writes ? item_slot_i : stored_q.tag.index[6:0];

  assign hold_o = stored_q.valid || item_valid_i || kept_i.valid;

  stored_words_t words;
  assign read_o = words.right;

  logic [10:0] at, place;
  assign at = table_place(table_slot_i, table_step_i);
  assign place = table_place(stored_q.tag.index[6:0], stored_q.tag.index[10:7]);
  assign table_o = at[10] ? words.row_mask : words.row_key;
  xmss_store #(
      .SRAM_LATENCY(SRAM_LATENCY)
  ) u_store (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .wiping_o,
      .erase_i,
      .erasing_o,
      .value_write_i(item_writes || result_writes || kept_i.valid),
      .value_slot_i(came_slot_o),
      .value_i(kept_i.valid ? kept_i.value : item_writes ? item_i : stored_q.digest),
      .left_slot_i,
      .right_slot_i(offered_i && pick_i.source == FromNode ? right_slot_i : reader_i),
      .row_write_i((stored_q.valid && stored_q.tag.dest == DestRow) || table_writes),
      .node_write_i(stored_q.valid && stored_q.tag.dest == DestNodeRow),
      .part_i(table_writes ? {1'b0, place[10]} : stored_q.part),
      .index_i(table_writes ? place[9:0] : stored_q.tag.index[9:0]),
      .part_value_i(stored_q.digest),
      .row_i(row_valid_i ? row_i : reads_i ? at[9:0] : pick_i.row),
      .node_i,
      .words_o(words)
  );

  xmss_operands #(
      .SHAKE(SHAKE),
      .SRAM_LATENCY(SRAM_LATENCY)
  ) u_operands (
      .clk_i,
      .rst_ni (rst_ni && !wiping_o),
      .job_i,
      .row_valid_i,
      .pick_i,
      .pick_o,
      .mode_i,
      .raw_i,
      .values_i,
      .words_i(words),
      .operands_o
  );
endmodule

`default_nettype wire
