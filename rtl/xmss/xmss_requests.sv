// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The requests of COUNT lanes for rows and for jobs, jobs only where one is offered. A job is given
// two cycles after it was taken and a row three, so no job is taken in the cycle after a row, and a
// lane takes one of them at a time. Rows are not taken before a cycle in which a result is written,
// nor jobs in one (`hold_i`).
module xmss_requests #(
    parameter int unsigned COUNT = 4
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [COUNT-1:0] want_job_i,
    input wire [COUNT-1:0] want_row_i,
    input wire [COUNT-1:0][9:0] rows_i,
    input wire offered_i,
    input wire hold_i,
    input wire result_i,
    output logic job_o,
    output logic row_valid_o,  // a cycle after it was taken
    output logic [9:0] row_o,
    output logic [COUNT-1:0] take_o,
    output logic [COUNT-1:0] give_job_o,
    output logic [COUNT-1:0] give_row_o
);
  localparam int unsigned Width = COUNT > 1 ? $clog2(COUNT) : 1;

  logic rows_wanted, jobs_wanted;
  logic row_taken;
  logic [Width-1:0] row_lane, job_lane;
  xmss_arbiter #(
      .COUNT(COUNT)
  ) u_rows (
      .clk_i,
      .rst_ni,
      .request_i(want_row_i),
      .taken_i  (row_taken),
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
  assign row_taken = rows_wanted && !result_i && !(job_o && job_lane == row_lane);
  assign job_o = jobs_wanted && offered_i && !hold_i && !row_valid_o;
  logic [COUNT-1:0] takes_job, takes_row;
  for (genvar i = 0; i < COUNT; i++) begin : gen_take
    assign takes_job[i] = job_o && job_lane == Width'(i);
    assign takes_row[i] = row_taken && row_lane == Width'(i);
  end
  assign take_o = takes_job | takes_row;

  logic [COUNT-1:0] job_q, row_q, read_q;
  always_ff @(posedge clk_i) begin
    row_valid_o <= rst_ni && row_taken;
    row_o <= rst_ni ? rows_i[row_lane] : '0;
    job_q <= rst_ni ? takes_job : '0;
    row_q <= rst_ni ? takes_row : '0;
    read_q <= rst_ni ? row_q : '0;
    give_job_o <= rst_ni ? job_q : '0;
    give_row_o <= rst_ni ? read_q : '0;
  end
endmodule

`default_nettype wire
