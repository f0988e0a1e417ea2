// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// CORES lanes, served one at a time: one request for a job or a step's keys and masks, one result.
// A request is answered in the next cycle, by what was read for it meanwhile.
//
// From four lanes on the first one waits for the next block while a message is hashed: all that
// signs or verifies waits for the hash.
module xmss_lanes
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned CORES  = 4,
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire state_t seed_i,
    input wire keep_first_i,
    input wire raw_i,  // the job that is offered is a block of the message
    // This cycle's request: for a row, or else for a job if one is offered.
    input wire offered_i,
    input wire hold_i,  // none is taken
    output logic job_o,
    output logic row_valid_o,
    output logic [9:0] row_o,
    input wire [8:0] way_i,  // of the chain that is offered, 0 of anything else
    // Its answer, in the next cycle.
    input wire job_t job_i,
    input wire tag_t tag_i,
    input wire [9:0] row_i,  // of the job's first step
    input wire [8:0] rest_i,
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    // This cycle's result.
    output logic result_o,
    output tag_t tag_o,
    output logic [1:0] part_o,
    output logic last_o,
    output state_t digest_o
);
  localparam int unsigned Width = CORES > 1 ? $clog2(CORES) : 1;

  logic [CORES-1:0] want_job, want_row, valid, last, give_job, give_row, take, ready;
  logic [CORES-1:0][9:0] rows;
  tag_t [CORES-1:0] tags;
  logic [CORES-1:0][1:0] parts;
  state_t [CORES-1:0] digests;

  // A lane whose own chain will have a longer way left than the one that is offered waits for it.
  logic [CORES-1:0] may, own;
  logic [CORES-1:0][8:0] rest;
  for (genvar i = 0; i < CORES; i++) begin : gen_own
    assign own[i] = way_i != '0 && rest[i] > way_i;
  end
  logic keep_first_q;
  always_ff @(posedge clk_i) keep_first_q <= rst_ni && keep_first_i;
  assign may = (CORES < 4 || !keep_first_q ? '1 : raw_i ? CORES'(1) : ~CORES'(1)) & ~own;

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

  logic [Width-1:0] result_lane;
  xmss_arbiter #(
      .COUNT(CORES)
  ) u_results (
      .clk_i,
      .rst_ni,
      .request_i(valid),
      .taken_i  (result_o),
      .valid_o  (result_o),
      .chosen_o (result_lane)
  );
  assign tag_o = tags[result_lane];
  assign part_o = parts[result_lane];
  assign last_o = last[result_lane];
  assign digest_o = digests[result_lane];

  for (genvar i = 0; i < CORES; i++) begin : gen_lane
    assign ready[i] = result_o && result_lane == Width'(i);
    xmss_lane #(
        .UNROLL(UNROLL)
    ) u_lane (
        .clk_i,
        .rst_ni,
        .mode_i,
        .seed_i,
        .want_job_o(want_job[i]),
        .want_row_o(want_row[i]),
        .row_o(rows[i]),
        .take_i(take[i]),
        .give_job_i(give_job[i]),
        .give_row_i(give_row[i]),
        .job_i,
        .tag_i,
        .row_i,
        .rest_i,
        .rest_o(rest[i]),
        .a_i,
        .b0_i,
        .b1_i,
        .result_valid_o(valid[i]),
        .result_ready_i(ready[i]),
        .tag_o(tags[i]),
        .part_o(parts[i]),
        .last_o(last[i]),
        .digest_o(digests[i])
    );
  end
endmodule

`default_nettype wire
