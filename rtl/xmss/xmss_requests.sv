// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The requests of COUNT lanes, one a cycle: a row before a job, jobs only where one is offered.
// The one taken is given two cycles later.
module xmss_requests #(
    parameter int unsigned COUNT = 4
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [COUNT-1:0] want_job_i,
    input wire [COUNT-1:0] want_row_i,
    input wire [COUNT-1:0][9:0] rows_i,
    input wire offered_i,
    output logic job_o,
    output logic row_valid_o,
    output logic [9:0] row_o,
    output logic [COUNT-1:0] take_o,
    output logic [COUNT-1:0] give_job_o,
    output logic [COUNT-1:0] give_row_o
);
  localparam int unsigned Width = COUNT > 1 ? $clog2(COUNT) : 1;

  logic rows_wanted, jobs_wanted;
  logic [Width-1:0] row_lane, job_lane, lane;
  xmss_arbiter #(
      .COUNT(COUNT)
  ) u_rows (
      .clk_i,
      .rst_ni,
      .request_i(want_row_i),
      .taken_i  (rows_wanted),
      .valid_o  (rows_wanted),
      .chosen_o (row_lane)
  );
  xmss_arbiter #(
      .COUNT(COUNT)
  ) u_jobs (
      .clk_i,
      .rst_ni,
      .request_i(want_job_i),
      .taken_i  (job_o),
      .valid_o  (jobs_wanted),
      .chosen_o (job_lane)
  );
  assign row_valid_o = rows_wanted;
  assign row_o = rows_i[row_lane];
  assign job_o = jobs_wanted && offered_i && !rows_wanted;
  assign lane = rows_wanted ? row_lane : job_lane;
  for (genvar i = 0; i < COUNT; i++) begin : gen_take
    assign take_o[i] = (rows_wanted || job_o) && lane == Width'(i);
  end

  logic [COUNT-1:0] job_q, row_q;
  always_ff @(posedge clk_i) begin
    job_q <= job_o && rst_ni ? take_o : '0;
    row_q <= rows_wanted && rst_ni ? take_o : '0;
    give_job_o <= rst_ni ? job_q : '0;
    give_row_o <= rst_ni ? row_q : '0;
  end
endmodule

`default_nettype wire
