// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// LANES lanes of the refined stage with their results: chain cores of SHA-256, or with SHAKE = 1
// the slots of one Keccak core, of which UNROLL rounds per cycle make 2 UNROLL. A lane gets no
// job while its result is held: of a chain core the result that comes next would not find a
// place before the job is half a block old. Those of Keccak's slots do not wait, and come 48
// cycles apart.
module chain_unit_lanes
  import sha256_pkg::*;
  import chain_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter  int unsigned LANES  = 1,
    parameter  int unsigned UNROLL = 1,
    parameter  int unsigned SHAKE  = 0,
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
    // The state of Keccak: a pair of its words is replaced, it is permuted while no job is under
    // way, one of its words is read.
    input wire put_i,
    input wire permute_i,
    output logic permuted_o,
    input wire [5:0] word_i,
    input wire [63:0] put_words_i,
    output logic [31:0] word_o,
    // A result, until it is taken; while it is held no other one comes before it.
    input wire result_held_i,
    output logic result_o,
    output logic more_o,  // another one is there
    output target_t target_o,
    output state_t value_o,
    output logic last_o,  // of its job
    input wire result_taken_i
);
  logic [LANES-1:0] want_job, may_job, want_row, full, take, give_job, give_row, valid, lasts;
  logic [LANES-1:0][9:0] rows;
  logic [LANES-1:0][1:0] parts;
  xmss_pkg::tag_t [LANES-1:0] tags, given_tags;
  state_t [LANES-1:0] digests;

  function automatic logic [Width-1:0] first(logic [LANES-1:0] which);
    logic [Width-1:0] lane;
    lane = '0;
    for (int i = LANES - 1; i >= 0; i--) if (which[i]) lane = Width'(i);
    return lane;
  endfunction
  assign may_job = want_job & ~full;
  assign job_wanted_o = may_job != '0;
  assign row_wanted_o = want_row != '0;
  assign job_lane_o = first(may_job);
  assign row_lane_o = first(want_row);
  assign row_o = rows[row_lane_o];
  for (genvar i = 0; i < LANES; i++) begin : gen_choice
    assign take[i] = take_i && take_lane_i == Width'(i);
    assign give_job[i] = give_job_i && give_lane_i == Width'(i);
    assign give_row[i] = give_row_i && give_lane_i == Width'(i);
  end

  chain_unit_results #(
      .LANES(LANES)
  ) u_results (
      .clk_i,
      .rst_ni,
      .give_job_i(give_job),
      .target_i,
      .tags_o(given_tags),
      .valid_i(valid),
      .full_o(full),
      .tags_i(tags),
      .parts_i(parts),
      .lasts_i(lasts),
      .digests_i(digests),
      .result_held_i,
      .result_o,
      .more_o,
      .target_o,
      .value_o,
      .last_o,
      .result_taken_i
  );

  if (SHAKE == 0) begin : gen_sha
    for (genvar i = 0; i < LANES; i++) begin : gen_lane
      /* verilator lint_off UNUSEDSIGNAL */
      logic [8:0] rest;
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
          .take_i(take[i]),
          .give_job_i(give_job[i]),
          .give_row_i(give_row[i]),
          .job_i,
          .tag_i(given_tags[i]),
          .row_i,
          .rest_i('0),
          .rest_o(rest),
          .a_i(operands_i[7:0]),
          .b0_i(operands_i[15:8]),
          .b1_i(operands_i[23:16]),
          .result_valid_o(valid[i]),
          .result_ready_i(!full[i]),
          .tag_o(tags[i]),
          .part_o(parts[i]),
          .last_o(lasts[i]),
          .digest_o(digests[i])
      );
    end
    assign {permuted_o, word_o} = '0;
    wire unused = &{put_i, permute_i, word_i, put_words_i};
  end else begin : gen_shake
    logic result, of_message, last, entered;
    logic [Width-1:0] lane;
    logic [1:0] part;
    state_t digest;
    xmss_pkg::tag_t tag;
    xmss_shake_pkg::words_t saved;
    xmss_shake_slots #(
        .CORES (LANES),
        .UNROLL(UNROLL)
    ) u_slots (
        .clk_i,
        .rst_ni,
        .n24_i(mode_i[0]),
        .short_i(mode_i != '0),
        .seed_i,
        .want_job_o(want_job),
        .want_row_o(want_row),
        .rows_o(rows),
        .take_i(take),
        .give_job_i(give_job | LANES'(permute_i)),
        .give_row_i(give_row),
        .job_i(permute_i ? '{op: OpRaw, from : '0, steps: '0} : job_i),
        .tag_i(given_tags[give_lane_i]),
        .row_i,
        .a_i(operands_i[7:0]),
        .b0_i(operands_i[15:8]),
        .b1_i(operands_i[23:16]),
        .first_i(1'b0),
        .message_i('0),
        .entered_o(entered),
        .put_i,
        .pair_i(word_i[4:0]),
        .put_words_i,
        .saved_o(saved),
        .result_o(result),
        .lane_o(lane),
        .of_message_o(of_message),
        .tag_o(tag),
        .part_o(part),
        .last_o(last),
        .digest_o(digest)
    );
    for (genvar i = 0; i < LANES; i++) begin : gen_result
      assign valid[i] = result && !of_message && lane == Width'(i);
    end
    assign {tags, parts, lasts, digests} = {{LANES{tag}}, {LANES{part}}, {LANES{last}}, {LANES{digest}}};
    assign permuted_o = result && of_message;
    assign word_o = saved[word_i];
    wire unused = entered;
  end
endmodule

`default_nettype wire
