// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The refined stage: whole chains and hashes out of memory and back. Its port serves one thing at a
// time: a result that is there first, then the row of a step, then a new job.
module chain_unit_jobs
  import asip_pkg::*;
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
    input wire order_valid_i,
    input wire order_t order_i,
    output logic order_ready_o,
    output asip_pkg::request_t port_o,
    input wire port_ready_i,
    input wire [63:0] port_read_i
);
  typedef enum logic [1:0] {
    StIdle,
    StFirst,   // reads the first segment
    StSecond,  // and the second one
    StWrite
  } state_e;
  typedef enum logic [1:0] {
    ForSeed,
    ForRow,
    ForJob
  } what_e;

  state_e state_q;
  what_e what_q, gives_what_q;
  logic  read_q;  // all was read, and what came last will be in its place
  mode_e mode;
  logic [31:0] rows, seed;
  logic seed_valid, seed_done, job_valid, job_taken, ended;
  chain_unit_pkg::request_t job;
  chain_unit_orders u_orders (
      .clk_i,
      .rst_ni,
      .order_valid_i,
      .order_i,
      .order_ready_o,
      .mode_o(mode),
      .rows_o(rows),
      .seed_valid_o(seed_valid),
      .seed_o(seed),
      .seed_done_i(seed_done),
      .job_valid_o(job_valid),
      .job_o(job),
      .job_taken_i(job_taken),
      .ended_i(ended)
  );

  logic job_wanted, row_wanted, result, take;
  logic [Width-1:0] job_lane, row_lane, lane_q, gives_lane_q;
  logic [9:0] row, row_q;
  target_t target;
  state_t value, seed_q;
  operands_t words, operands;
  logic by_rows, makes_row, settled, next, last;

  // The words that are read. A chain has its value, then the row, the head of LMS, or the address.
  segment_t segment, row_segment, first, second;
  logic six;
  assign six = mode[0];
  assign by_rows = job.chain && job.job.op == OpChain && !mode[1];
  assign makes_row = job.job.op == OpNodeRow;
  logic [31:0] row_address;
  assign row_address = rows + {16'd0, (what_q == ForRow ? row_q : job.row + 10'(job.job.from)), 6'd0};
  assign row_segment = '{address: row_address, place: 5'd0, count: 5'd16, swap: 1'b1, masks: 1'b0};
  always_comb begin
    first  = '{address: job.first, place: 5'd0, count: 5'd8, swap: job.bytes, masks: 1'b0};
    second = '{address: job.second, place: 5'd8, count: job.padded ? 5'd8 : 5'd16, swap: 1'b1, masks: 1'b0};
    if (job.chain) begin
      first = '{address: job.first, place: job.job.op == OpFly ? 5'd8 : 5'd16, count: six ? 5'd6 : 5'd8, swap: 1'b1, masks: 1'b0};
      second.place = mode[1] ? 5'd0 : 5'd16;
      second.count = mode[1] ? 5'd6 : 5'd8;
      if (by_rows) second = row_segment;
    end
    if (job.node) begin
      first  = '{address: job.second, place: 5'd0, count: 5'd24, swap: 1'b1, masks: 1'b0};
      second = '{address: job.first, place: 5'd8, count: 5'd16, swap: 1'b1, masks: 1'b1};
      if (makes_row) first = '{address: job.first, place: 5'd16, count: 5'd8, swap: 1'b1, masks: 1'b0};
    end
  end
  always_comb begin
    segment = '{address: seed, place: 5'd0, count: 5'd8, swap: 1'b0, masks: 1'b0};
    if (what_q == ForRow) segment = row_segment;
    if (what_q == ForJob) segment = state_q == StSecond ? second : first;
  end
  // A message of 96 bytes ends with its padding.
  localparam state_t Padding = {32'd768, 192'd0, 32'h8000_0000};
  assign operands = {!job.chain && job.padded ? Padding : words[23:16], words[15:0]};

  logic reads, writes, written;
  assign reads  = state_q == StFirst || state_q == StSecond;
  assign writes = state_q == StWrite;
  chain_unit_reader u_reader (
      .clk_i,
      .rst_ni,
      .read_i(reads),
      .segment_i(segment),
      .next_o(next),
      .settled_o(settled),
      .words_o(words),
      .write_i(writes),
      .target_i(target),
      .value_i(value),
      .written_o(written),
      .port_o,
      .port_ready_i,
      .port_read_i
  );

  // The words are given while the next thing is begun, whose own words come two cycles later.
  logic gives, ends, job_waits, seed_waits;
  assign gives = read_q && settled;
  assign ends = next && (state_q == StSecond || what_q != ForJob || makes_row);
  assign job_taken = gives && gives_what_q == ForJob;
  assign seed_done = gives && gives_what_q == ForSeed;
  assign job_waits = job_valid && job_wanted && !(read_q && gives_what_q == ForJob);
  assign seed_waits = seed_valid && !(read_q && gives_what_q == ForSeed);
  assign ended = written && last;
  assign take = state_q == StIdle && !result && (row_wanted || job_waits);
  chain_unit_lanes #(
      .LANES (LANES),
      .UNROLL(UNROLL)
  ) u_lanes (
      .clk_i,
      .rst_ni,
      .mode_i(mode),
      .seed_i(seed_q),
      .job_wanted_o(job_wanted),
      .job_lane_o(job_lane),
      .row_wanted_o(row_wanted),
      .row_lane_o(row_lane),
      .row_o(row),
      .take_lane_i(row_wanted ? row_lane : job_lane),
      .take_i(take),
      .give_lane_i(gives_lane_q),
      .give_job_i(job_taken),
      .give_row_i(gives && gives_what_q == ForRow),
      .job_i(job.job),
      .row_i(job.row + 10'(job.job.from)),
      .target_i('{address: job.target, six: six && job.chain, swap: !job.native}),
      .operands_i(operands),
      .result_held_i(writes),
      .result_o(result),
      .target_o(target),
      .value_o(value),
      .last_o(last),
      .result_taken_i(written)
  );

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        what_q <= row_wanted ? ForRow : job_waits ? ForJob : ForSeed;
        lane_q <= row_wanted ? row_lane : job_lane;
        row_q  <= row;
        if (result) state_q <= StWrite;
        else if (take || seed_waits) state_q <= StFirst;
      end
      StFirst:  if (next) state_q <= ends ? StIdle : StSecond;
      StSecond: if (next) state_q <= StIdle;
      default:  if (written) state_q <= StIdle;
    endcase
    if (ends) {gives_what_q, gives_lane_q} <= {what_q, lane_q};
    read_q <= ends || (read_q && !gives);
    if (seed_done) seed_q <= words[7:0];
    if (!rst_ni) {state_q, read_q} <= '0;
  end
endmodule

`default_nettype wire
