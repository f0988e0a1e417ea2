// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// LANES lanes of the refined stage, each with a register for its result and with the targets of its
// jobs, up to three of which are in it at once. A lane gets no job while its register is full: the
// result that comes next would not find a place before the job is half a block old.
module chain_unit_lanes
  import sha256_pkg::*;
  import chain_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter  int unsigned LANES  = 1,
    parameter  int unsigned UNROLL = 1,
    localparam int unsigned Width  = LANES > 1 ? $clog2(LANES) : 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire state_t seed_i,
    // The lanes' wishes; `take_i` says that a lane will get what it wants, which `give_*_i` gives.
    output logic job_wanted_o,
    output logic [Width-1:0] job_lane_o,
    output logic row_wanted_o,
    output logic [Width-1:0] row_lane_o,
    output logic [9:0] row_o,
    input wire [Width-1:0] take_lane_i,
    input wire take_i,
    input wire [Width-1:0] give_lane_i,
    input wire give_job_i,
    input wire give_row_i,
    input wire job_t job_i,
    input wire [9:0] row_i,
    input wire target_t target_i,
    input wire operands_t operands_i,
    // A result, until it is taken; while it is held no other one comes before it.
    input wire result_held_i,
    output logic result_o,
    output logic more_o,  // another one is there
    output target_t target_o,
    output state_t value_o,
    output logic last_o,  // of its job
    input wire result_taken_i
);
  logic [LANES-1:0] want_job, may_job, want_row, there, lasts;
  logic [LANES-1:0][9:0] rows;
  target_t [LANES-1:0] targets;
  state_t [LANES-1:0] values;
  logic [Width-1:0] result_lane;

  function automatic logic [Width-1:0] first(logic [LANES-1:0] which);
    logic [Width-1:0] lane;
    lane = '0;
    for (int i = LANES - 1; i >= 0; i--) if (which[i]) lane = Width'(i);
    return lane;
  endfunction
  assign may_job = want_job & ~there;
  assign job_wanted_o = may_job != '0;
  assign row_wanted_o = want_row != '0;
  assign job_lane_o = first(may_job);
  assign row_lane_o = first(want_row);
  assign row_o = rows[row_lane_o];
  assign result_o = there != '0;
  assign more_o = (there & ~(LANES'(1) << result_lane)) != '0;
  logic [Width-1:0] result_lane_q;
  always_ff @(posedge clk_i) result_lane_q <= result_lane;
  assign result_lane = result_held_i ? result_lane_q : first(there);
  assign target_o = targets[result_lane];
  assign value_o = values[result_lane];
  assign last_o = lasts[result_lane];

  for (genvar i = 0; i < LANES; i++) begin : gen_lane
    logic mine, valid, ready;
    target_t [3:0] targets_q;
    target_t result;
    logic last;
    logic [1:0] part;  // of a row
    logic [1:0] entered_q;
    state_t digest, value_q;
    logic there_q;
    xmss_pkg::tag_t tag, tag_in;
    assign mine  = give_lane_i == Width'(i);
    assign ready = !there_q;
    always_comb begin
      tag_in = '0;
      tag_in.index[1:0] = entered_q;
    end
    always_comb begin
      result = targets_q[tag.index[1:0]];
      result.address = result.address + {25'd0, part, 5'd0};
    end
    always_ff @(posedge clk_i) begin
      if (give_job_i && mine) targets_q[entered_q] <= target_i;
      if (valid && ready) begin
        value_q <= digest;
        targets[i] <= result;
        lasts[i] <= last;
      end
      if (!rst_ni) begin
        {entered_q, there_q} <= '0;
      end else begin
        entered_q <= entered_q + 2'(give_job_i && mine);
        there_q   <= (valid && ready) || (there_q && !(result_taken_i && result_lane == Width'(i)));
      end
    end
    assign there[i]  = there_q;
    assign values[i] = value_q;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [ 8:0] rest;
    logic [11:0] unused_tag;
    assign unused_tag = {tag.dest, tag.index[10:2]};
    /* verilator lint_on UNUSEDSIGNAL */
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
        .take_i(take_i && take_lane_i == Width'(i)),
        .give_job_i(give_job_i && mine),
        .give_row_i(give_row_i && mine),
        .job_i,
        .tag_i(tag_in),
        .row_i,
        .rest_i('0),
        .rest_o(rest),
        .a_i(operands_i[7:0]),
        .b0_i(operands_i[15:8]),
        .b1_i(operands_i[23:16]),
        .result_valid_o(valid),
        .result_ready_i(ready),
        .tag_o(tag),
        .part_o(part),
        .last_o(last),
        .digest_o(digest)
    );
  end
endmodule

`default_nettype wire
