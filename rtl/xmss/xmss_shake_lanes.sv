// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The lanes for SHAKE, as xmss_lanes is for SHA-256: xmss_shake_slots, with jobs and rows that come
// two and three cycles after they were asked for.
module xmss_shake_lanes
  import sha256_pkg::state_t;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_shake_pkg::*;
#(
    parameter int unsigned CORES  = 4,
    parameter int unsigned UNROLL = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire short_i,
    input wire state_t seed_i,
    input wire keep_first_i,
    input wire raw_i,  // the job that is offered is a block of the message
    // This cycle's request: for a row, or else for a job if one is offered.
    input wire offered_i,
    input wire hold_i,  // none is taken
    output logic job_o,
    output logic row_valid_o,
    output logic [9:0] row_o,
    // Its answer, in the next cycle.
    input wire job_t job_i,
    input wire tag_t tag_i,
    input wire [9:0] row_i,  // of the job's first step
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    // The block of the message.
    input wire first_i,
    input wire [64*Lanes-1:0] message_i,
    output logic entered_o,
    // This cycle's result.
    output logic result_o,
    output tag_t tag_o,
    output logic [1:0] part_o,
    output logic last_o,
    output state_t digest_o
);
  logic [CORES-1:0] want_job, want_row, may, give_job, give_row, take;
  logic [CORES-1:0][9:0] rows;
  assign may = !keep_first_i ? '1 : raw_i ? CORES'(1) : ~CORES'(1);
  xmss_requests #(
      .COUNT(CORES)
  ) u_requests (
      .clk_i,
      .rst_ni,
      .want_job_i(want_job & may),
      .want_row_i(want_row),
      .rows_i(rows),
      .offered_i,
      .hold_i,
      .result_i(result_o),
      .job_o,
      .row_valid_o,
      .row_o,
      .take_o(take),
      .give_job_o(give_job),
      .give_row_o(give_row)
  );

  logic [$clog2(CORES)-1:0] unused_lane;
  logic unused_of_message;
  words_t unused_saved;
  xmss_shake_slots #(
      .CORES (CORES),
      .UNROLL(UNROLL)
  ) u_slots (
      .clk_i,
      .rst_ni,
      .n24_i,
      .short_i,
      .seed_i,
      .want_job_o(want_job),
      .want_row_o(want_row),
      .rows_o(rows),
      .take_i(take),
      .give_job_i(give_job),
      .give_row_i(give_row),
      .job_i,
      .tag_i,
      .row_i,
      .a_i,
      .b0_i,
      .b1_i,
      .first_i,
      .message_i,
      .entered_o,
      .put_i(1'b0),
      .pair_i('0),
      .put_words_i('0),
      .saved_o(unused_saved),
      .result_o,
      .lane_o(unused_lane),
      .of_message_o(unused_of_message),
      .tag_o,
      .part_o,
      .last_o,
      .digest_o
  );
  wire unused = &{unused_lane, unused_of_message, unused_saved};
endmodule

`default_nettype wire
