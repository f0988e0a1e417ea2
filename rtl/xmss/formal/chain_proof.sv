// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The counter of a chain core: from the first step of a job to its last one the step and the steps
// that are left add up to what the job said, and at least one is left, so no chain runs beyond its
// end, however rows and results come. Reset may come at any time. A register says whether a job has
// to come next: in a block's last cycle it is what its job says. The mode changes between jobs
// only. No job has a step beyond number 255.
`default_nettype none

module chain_proof
  import sha256_pkg::*;
  import chain_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire job_valid_i,
    input wire job_t job_i,
    input wire step_valid_i,
    input wire result_ready_i,
    output logic differs_o
);
  job_t job;
  logic ready, free, step_ready, step_want, keep_a, keep_x, valid, last;
  logic [1:0] part;
  state_t digest;
  logic sound;
  assign sound = job_i.steps != '0 && {1'b0, job_i.from} + {1'b0, job_i.steps} <= 9'd256;
  assign job   = '{op: job_i.op, from : job_i.from, steps: sound ? job_i.steps : 8'd1};

  mode_e mode, mode_q;
  assign mode = u_core.active_q ? mode_q : mode_i;
  always_ff @(posedge clk_i) mode_q <= mode;

  chain_core #(
      .UNROLL(UNROLL)
  ) u_core (
      .clk_i,
      .rst_ni,
      .mode_i(mode),
      .seed_i('0),
      .job_valid_i,
      .job_ready_o(ready),
      .job_i(job),
      .a_i('0),
      .b0_i('0),
      .b1_i('0),
      .free_o(free),
      .step_valid_i,
      .step_ready_o(step_ready),
      .step_want_o(step_want),
      .keep_a_o(keep_a),
      .keep_x_o(keep_x),
      .result_valid_o(valid),
      .result_ready_i,
      .result_part_o(part),
      .result_last_o(last),
      .digest_o(digest)
  );
  wire unused = &{free, step_ready, step_want, keep_a, keep_x, valid, last, part, digest};

  logic [8:0] end_q;
  always_ff @(posedge clk_i) if (job_valid_i && ready) end_q <= {1'b0, job.from} + {1'b0, job.steps};
  logic runs_over, takes_early, ends_early, astray;
  assign runs_over = u_core.active_q && (u_core.left_q == '0 || end_q > 9'd256 || {1'b0, u_core.step_q} + {1'b0, u_core.left_q} != end_q);
  assign takes_early = u_core.fresh_q != (u_core.ready && (!u_core.active_q || (u_core.last && u_core.ends)));
  assign ends_early = u_core.ready != &u_core.cycle || u_core.last != (u_core.busy && u_core.ready) || !(u_core.busy || u_core.ready);
  assign astray = u_core.busy && !u_core.active_q;
  assign differs_o = runs_over || takes_early || ends_early || astray;
endmodule

`default_nettype wire
