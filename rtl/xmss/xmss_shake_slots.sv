// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The lanes for SHAKE on their core: one Keccak core of UNROLL rounds a cycle with a register
// inside and after each round is CORES = 2 UNROLL lanes, each with a slot of the core that
// passes the entry every CORES cycles. A lane's next block enters in the cycle in which the one
// before ends: 48 cycles per permutation, nothing between them. Jobs are those of chain_pkg, in
// permutations: a step with KEY and mask given 1, on the way 3, KEY and masks of a step 2, of a
// node 3, a node 1, a secret 1, a block of the message 1.
//
// A block is put together a cycle before its turn, but for the digest that ends in the same
// cycle. There is one result at a time, a cycle after its end, and it does not wait. A lane asks
// for its next job in the last `Early` turns of its last block.
module xmss_shake_slots
  import sha256_pkg::state_t;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_shake_pkg::*;
#(
    parameter  int unsigned CORES  = 4,
    parameter  int unsigned UNROLL = 2,
    localparam int unsigned Width  = $clog2(CORES)
) (
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire short_i,
    input wire state_t seed_i,
    // The lanes' wishes, and what they are given, as xmss_shake_lane has them.
    output logic [CORES-1:0] want_job_o,
    output logic [CORES-1:0] want_row_o,
    output logic [CORES-1:0][9:0] rows_o,
    input wire [CORES-1:0] take_i,
    input wire [CORES-1:0] give_job_i,
    input wire [CORES-1:0] give_row_i,
    input wire job_t job_i,
    input wire tag_t tag_i,
    input wire [9:0] row_i,  // of the job's first step
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    // The block of the message; it is added to `saved_o`, the state after the block before, unless
    // it is the first. A pair of words of that state can be replaced.
    input wire first_i,
    input wire [64*Lanes-1:0] message_i,
    output logic entered_o,
    input wire put_i,
    input wire [4:0] pair_i,
    input wire [63:0] put_words_i,
    output words_t saved_o,
    // This cycle's result.
    output logic result_o,
    output logic [Width-1:0] lane_o,
    output logic of_message_o,
    output tag_t tag_o,
    output logic [1:0] part_o,
    output logic last_o,
    output state_t digest_o
);
  typedef logic [Width-1:0] lane_t;

  lane_t phase_q, next;
  assign next = phase_q == lane_t'(CORES - 1) ? '0 : phase_q + lane_t'(1);

  // ---------------------------------------------------------------- lanes
  logic ends, enters, raw_ends;
  turn_t [CORES-1:0] turns;
  turn_t turn, turn_q;
  logic [CORES-1:0] seeded;
  state_t [CORES-1:0] keys, firsts, seconds;
  tag_t [CORES-1:0] tags;
  end_t [CORES-1:0] block_ends;
  state_t digest;
  for (genvar i = 0; i < CORES; i++) begin : gen_lane
    xmss_shake_lane #(
        .TURNS(24 / UNROLL)
    ) u_lane (
        .clk_i,
        .rst_ni,
        .want_job_o(want_job_o[i]),
        .want_row_o(want_row_o[i]),
        .row_o(rows_o[i]),
        .take_i(take_i[i]),
        .give_job_i(give_job_i[i]),
        .give_row_i(give_row_i[i]),
        .job_i,
        .tag_i,
        .row_i,
        .a_i,
        .b0_i,
        .b1_i,
        .turn_o(turns[i]),
        .seeded_o(seeded[i]),
        .key_o(keys[i]),
        .first_o(firsts[i]),
        .second_o(seconds[i]),
        .passes_i(phase_q == lane_t'(i)),
        .enters_i(enters),
        .ends_i(ends),
        .digest_i(digest),
        .entered_i(turn_q.place),
        .tag_o(tags[i]),
        .end_o(block_ends[i])
    );
  end

  // ---------------------------------------------------------------- the block of the lane that is
  // next
  words_t built, block_q, saved_q, message, state;
  assign saved_o = saved_q;
  assign turn = turns[next];
  xmss_shake_block u_block (
      .n24_i,
      .short_i,
      .type_i  (turn.kind),
      .key_i   (seeded[next] ? seed_i : keys[next]),
      .first_i (firsts[next]),
      .second_i(seconds[next]),
      .block_o (built)
  );
  always_ff @(posedge clk_i) begin
    turn_q  <= turn;
    block_q <= turn.kind != TypeMessage ? built : words_t'(message_i) ^ (first_i ? '0 : saved_q);
    if (!rst_ni) turn_q.valid <= 1'b0;
    if (!rst_ni) block_q <= '0;
  end

  // ---------------------------------------------------------------- the core
  logic core_ends, core_ready, unused_valid;
  logic [3:0] unused_end_tag, unused_tag;
  always_comb begin
    message = block_q;
    if (turn_q.live && n24_i) message[12:7] = message[12:7] ^ state[5:0];
    if (turn_q.live && !n24_i) message[23:16] = message[23:16] ^ state[7:0];
    if (!enters) message = '0;
  end
  assign enters = core_ready && turn_q.valid;
  assign ends = core_ends;
  assign entered_o = enters && turn_q.kind == TypeMessage;
  assign digest = turned(state[7:0]);
  keccak_core #(
      .UNROLL(UNROLL),
      .INNER (1),
      .OUTREG(1),
      .ENTRY (0),
      .RATE  (1600)
  ) u_keccak (
      .clk_i,
      .rst_ni,
      .end_o(core_ends),
      .end_tag_o(unused_end_tag),
      .ready_o(core_ready),
      .valid_i(enters || !rst_ni),
      .cont_i(1'b0),
      .tag_i('0),
      .msg_i(message),
      .valid_o(unused_valid),
      .tag_o(unused_tag),
      .state_o(state)
  );
  wire  unused = &{unused_valid, unused_end_tag, unused_tag};

  // ---------------------------------------------------------------- results
  end_t block_end;
  assign block_end = block_ends[phase_q];
  assign raw_ends  = ends && block_end.of_message;
  always_ff @(posedge clk_i) begin
    tag_o <= tags[phase_q];
    lane_o <= phase_q;
    of_message_o <= block_end.of_message;
    part_o <= block_end.part;
    last_o <= block_end.last;
    digest_o <= digest;
    result_o <= rst_ni && ends && block_end.result;
    phase_q <= rst_ni ? next : '0;
    if (!rst_ni) digest_o <= '0;
  end
  for (genvar i = 0; i < Words / 2; i++) begin : gen_saved
    always_ff @(posedge clk_i) begin
      if (raw_ends || !rst_ni) saved_q[2*i+:2] <= state[2*i+:2];
      else if (put_i && pair_i == 5'(i)) saved_q[2*i+:2] <= put_words_i;
    end
  end
endmodule

`default_nettype wire
