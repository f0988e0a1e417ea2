// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A chain core with the registers its next job or step is put into. `want_*` asks, `take_i` says
// that it will be given, `give_*_i` gives.
module xmss_lane
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire state_t seed_i,
    output logic want_job_o,
    output logic want_row_o,
    output logic [9:0] row_o,
    input wire take_i,
    input wire give_job_i,
    input wire give_row_i,
    input wire job_t job_i,
    input wire tag_t tag_i,
    input wire [9:0] row_i,
    input wire [8:0] rest_i,
    output logic [8:0] rest_o,  // the way of the chain that is under way, behind its job
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    output logic result_valid_o,
    input wire result_ready_i,
    output tag_t tag_o,
    output logic [1:0] part_o,
    output logic last_o,
    output state_t digest_o
);
  /*verilator no_inline_module*/  // one copy of its code for all lanes of a model
  state_t a_q, b0_q, b1_q;
  job_t job_q;
  tag_t tag_q, active_tag_q, result_tag_q;
  logic [9:0] row_q;
  logic [8:0] rest_q, active_rest_q;
  logic job_there_q, row_there_q, asked_q, given_q;

  logic job_ready, free, step_ready, step_want, keep_a, keep_x;
  chain_core #(
      .UNROLL(UNROLL)
  ) u_core (
      .clk_i,
      .rst_ni,
      .mode_i,
      .seed_i,
      .job_valid_i(job_there_q),
      .job_ready_o(job_ready),
      .job_i(job_q),
      .a_i(a_q),
      .b0_i(b0_q),
      .b1_i(b1_q),
      .free_o(free),
      .step_valid_i(row_there_q),
      .step_ready_o(step_ready),
      .step_want_o(step_want),
      .keep_a_o(keep_a),
      .keep_x_o(keep_x),
      .result_valid_o,
      .result_ready_i,
      .result_part_o(part_o),
      .result_last_o(last_o),
      .digest_o
  );

  // That the core is free is known a cycle later; it is not where a job begins.
  logic free_q;
  always_ff @(posedge clk_i) free_q <= rst_ni && free && !(job_there_q && job_ready);
  assign want_job_o = free_q && !job_there_q && !asked_q;
  assign want_row_o = step_want && !row_there_q && !asked_q;
  assign row_o = row_q;
  assign rest_o = active_rest_q;
  assign tag_o = result_tag_q;

  always_ff @(posedge clk_i) begin
    if (give_job_i || give_row_i) begin
      a_q  <= a_i;
      b0_q <= b0_i;
    end else begin
      if (keep_a) a_q <= digest_o;
      if (keep_x) b0_q <= digest_o;
    end
    if (give_job_i || !rst_ni) begin
      b1_q   <= b1_i;
      job_q  <= job_i;
      tag_q  <= tag_i;
      rest_q <= rest_i;
    end
    if (give_job_i || !rst_ni) row_q <= row_i + 10'd1;
    else if (give_row_i) row_q <= row_q + 10'd1;
    if (job_there_q && job_ready) {active_tag_q, active_rest_q} <= {tag_q, rest_q};
    else if (given_q) active_rest_q <= '0;
    given_q <= result_valid_o && result_ready_i && last_o;
    if (!result_valid_o) result_tag_q <= active_tag_q;
    if (!rst_ni) {a_q, b0_q, b1_q, active_tag_q, active_rest_q, result_tag_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      job_there_q <= 1'b0;
      row_there_q <= 1'b0;
      asked_q <= 1'b0;
    end else begin
      if (give_job_i) job_there_q <= 1'b1;
      else if (job_ready) job_there_q <= 1'b0;
      if (give_row_i) row_there_q <= 1'b1;
      else if (step_ready) row_there_q <= 1'b0;
      if (take_i) asked_q <= 1'b1;
      else if (give_job_i || give_row_i) asked_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
