// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The refined stage: whole chains and hashes out of memory and back. Its port serves one thing at a
// time: a result that is there first, then the row of a step, then a new job. The next read is
// chosen while the port is at work, and begins in the next cycle.
module chain_unit_jobs
  import asip_pkg::*;
  import sha256_pkg::*;
  import chain_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter  int unsigned LANES  = 1,
    parameter  int unsigned UNROLL = 1,
    parameter  int unsigned SHAKE  = 0,
    parameter  int unsigned PORT   = 64,
    localparam int unsigned Width  = LANES > 1 ? $clog2(LANES) : 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire order_valid_i,
    input wire order_t order_i,
    output logic order_ready_o,
    output logic [31:0] data_o,  // SHAKE: the word of the state that an order reads
    output asip_pkg::request_t port_o,
    input wire port_ready_i,
    input wire [PORT-1:0] port_read_i
);
  typedef enum logic [2:0] {
    StIdle,
    StFirst,   // reads the first segment
    StSecond,  // and the second one
    StCopied,  // the last words of a value come
    StCopy,    // writes it
    StWrite    // writes a result
  } state_e;
  typedef enum logic [1:0] {
    ForSeed,
    ForRow,
    ForJob
  } what_e;

  typedef struct packed {
    what_e what;
    logic [Width-1:0] lane;
    logic [9:0] row;
  } read_t;

  state_e state_q;
  read_t reads_q, wish, chosen_q;
  logic chosen_there_q, has_next;
  what_e gives_what_q;
  // All was read, and what came last will be in its place: one and two cycles ago.
  logic [1:0] read_q;
  mode_e mode;
  logic [31:0] rows, seed;
  logic seed_valid, seed_done, job_valid, job_taken, ended;
  chain_unit_pkg::request_t job;
  logic put, permute, permuted;
  chain_unit_orders #(
      .SHAKE(SHAKE)
  ) u_orders (
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
      .ended_i(ended),
      .put_o(put),
      .permute_o(permute),
      .permuted_i(permuted)
  );

  logic job_wanted, row_wanted, result, more, take;
  logic [Width-1:0] job_lane, row_lane, gives_lane_q;
  logic [9:0] row;
  target_t target, job_target;
  state_t value, seed_q;
  operands_t words, operands;
  logic by_rows, makes_row, next, last;

  // The words that are read. A chain has its value, then the row, the head of LMS, or the address.
  segment_t segment, row_segment, first, second;
  logic six, lms;
  assign six = mode[0];
  assign lms = SHAKE == 0 && mode[1];
  assign by_rows = job.chain && job.job.op == OpChain && !lms;
  assign makes_row = job.job.op == OpNodeRow;
  logic [31:0] row_address;
  assign row_address = rows + {16'd0, (reads_q.what == ForRow ? reads_q.row : job.row + 10'(job.job.from)), 6'd0};
  assign row_segment = '{address: row_address, place: 5'd0, count: 5'd16, swap: 1'b1, masks: 1'b0};
  always_comb begin
    first  = '{address: job.first, place: 5'd0, count: 5'd8, swap: job.bytes, masks: 1'b0};
    second = '{address: job.second, place: 5'd8, count: job.padded ? 5'd8 : 5'd16, swap: 1'b1, masks: 1'b0};
    if (job.chain) begin
      first = '{
          address: job.first,
          place: job.job.op == OpFly && !job.copy ? 5'd8 : 5'd16,
          count: six ? 5'd6 : 5'd8,
          swap: 1'b1,
          masks: 1'b0
      };
      second.place = lms ? 5'd0 : 5'd16;
      second.count = lms ? 5'd6 : 5'd8;
      if (by_rows) second = row_segment;
    end
    if (job.node) begin
      first  = '{address: job.second, place: 5'd0, count: 5'd24, swap: 1'b1, masks: 1'b0};
      second = '{address: job.first, place: 5'd8, count: 5'd16, swap: 1'b1, masks: 1'b1};
      if (makes_row) first = '{address: job.first, place: 5'd16, count: 5'd8, swap: 1'b1, masks: 1'b0};
    end
  end
  always_comb begin
    segment = '{address: seed, place: 5'd0, count: 5'd8, swap: SHAKE != 0, masks: 1'b0};
    if (reads_q.what == ForRow) segment = row_segment;
    if (reads_q.what == ForJob) segment = state_q == StSecond ? second : first;
  end
  // A message of 96 bytes ends with its padding.
  localparam state_t Padding = {32'd768, 192'd0, 32'h8000_0000};
  assign operands = {!job.chain && job.padded ? Padding : words[23:16], words[15:0]};

  logic reads, writes, copies, written;
  assign reads  = state_q == StFirst || state_q == StSecond;
  assign writes = state_q == StWrite;
  assign copies = state_q == StCopy;
  chain_unit_reader #(
      .PORT(PORT)
  ) u_reader (
      .clk_i,
      .rst_ni,
      .read_i(reads),
      .segment_i(segment),
      .next_o(next),
      .words_o(words),
      .write_i(writes || copies),
      .target_i(copies ? job_target : target),
      .value_i(copies ? words[23:16] : value),
      .written_o(written),
      .port_o,
      .port_ready_i,
      .port_read_i
  );

  // The words are given while the next thing is begun, whose own words come after that.
  logic gives, gives_job, copied, ends, reads_job, reads_seed, job_waits, seed_waits;
  assign gives = read_q[1];
  assign ends = next && (state_q == StSecond || reads_q.what != ForJob || makes_row);
  assign copied = written && copies;
  assign job_target = '{address: job.target, six: six && job.chain, swap: !job.native};
  assign job_taken = copied || gives_job;
  assign gives_job = gives && gives_what_q == ForJob;
  assign seed_done = gives && gives_what_q == ForSeed;
  assign reads_job = state_q == StCopied || copies || (reads && reads_q.what == ForJob) || (read_q != '0 && gives_what_q == ForJob);
  assign reads_seed = (reads && reads_q.what == ForSeed) || (read_q != '0 && gives_what_q == ForSeed);
  assign job_waits = job_valid && (job_wanted || job.copy) && !reads_job;
  assign seed_waits = seed_valid && !reads_seed;
  assign ended = copied || (written && last && writes);
  assign wish = '{what: row_wanted ? ForRow : job_waits ? ForJob : ForSeed, lane: row_wanted ? row_lane : job_lane, row: row};
  assign take = !chosen_there_q && (row_wanted || (job_waits && !job.copy));
  assign has_next = chosen_there_q || row_wanted || job_waits || seed_waits;
  chain_unit_lanes #(
      .LANES (LANES),
      .UNROLL(UNROLL),
      .SHAKE (SHAKE)
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
      .take_lane_i(wish.lane),
      .take_i(take),
      .give_lane_i(gives_lane_q),
      .give_job_i(gives_job),
      .give_row_i(gives && gives_what_q == ForRow),
      .job_i(job.job),
      .row_i(job.row + 10'(job.job.from)),
      .target_i(job_target),
      .operands_i(operands),
      .put_i(put),
      .permute_i(permute),
      .permuted_o(permuted),
      .word_i(order_i.variant[5:0]),
      .put_words_i({order_i.rs2, order_i.rs1}),
      .word_o(data_o),
      .result_held_i(writes),
      .result_o(result),
      .more_o(more),
      .target_o(target),
      .value_o(value),
      .last_o(last),
      .result_taken_i(written && writes)
  );

  // The port is free for a read, or will be in the next cycle.
  logic begins;
  always_comb begin
    unique case (state_q)
      StWrite:  begins = written && !more;
      StCopy:   begins = written && !result;
      StCopied: begins = 1'b0;
      StIdle:   begins = !result;
      default:  begins = ends && !result;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (begins && has_next) begin
      state_q <= StFirst;
      reads_q <= chosen_there_q ? chosen_q : wish;
    end else begin
      unique case (state_q)
        StIdle:   if (result) state_q <= StWrite;
        StFirst:  if (next) state_q <= job.copy && reads_q.what == ForJob ? StCopied : !ends ? StSecond : result ? StWrite : StIdle;
        StSecond: if (next) state_q <= result ? StWrite : StIdle;
        StCopied: state_q <= StCopy;
        StCopy:   if (written) state_q <= result ? StWrite : StIdle;
        default:  if (written) state_q <= StIdle;
      endcase
    end
    if (!chosen_there_q) chosen_q <= wish;
    chosen_there_q <= has_next && !begins;
    if (ends) {gives_what_q, gives_lane_q} <= {reads_q.what, reads_q.lane};
    read_q <= {read_q[0], ends};
    if (seed_done) seed_q <= words[7:0];
    if (!rst_ni) {state_q, chosen_there_q, read_q} <= '0;
  end
endmodule

`default_nettype wire
