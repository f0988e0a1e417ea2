// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The compressions, one after another: steps of chains, and blocks of the hash in work, whose
// chaining value is kept meanwhile. A compression is chosen two cycles before its first one; a step
// follows a step, and a block a block, without a gap.
module hbs_verify_compress
  import sha256_pkg::*;
#(
    parameter bit XMSS = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire step_valid_i,
    output logic step_ready_o,
    output logic step_done_o,  // no step follows, and the digest is the result
    input wire step_state_i,  // the step begins from `state_i`
    input wire step_more_i,  // the step goes on from the one before, which it follows
    input wire state_t state_i,
    input wire block_valid_i,
    input wire block_first_i,  // the hash begins with it
    input wire block_aside_i,  // its result is not the chaining value of the hash in work
    output logic block_ready_o,
    output logic block_done_o,
    // The words.
    output logic feeds_step_o,  // the slot's word is taken
    output logic feeds_block_o,
    output logic [3:0] slot_o,
    input wire [31:0] step_word_i,
    input wire [31:0] block_word_i,
    output state_t digest_o  // stays until 15 cycles of a further compression have passed
);
  localparam logic [5:0] LastButOne = 6'd62, Reload = 6'd40;
  logic follows_q;

  logic ready, busy, last;
  logic [5:0] cycle;
  logic start_q, block_q, next_block_q, kept_q, given, resumes_q, resumed_q, keeps;
  logic idle, follows, step, block;
  assign idle = !busy && !start_q;
  assign follows = follows_q;
  assign block = block_valid_i && (idle || (follows && block_q));
  assign step = step_valid_i && !block && (idle || (follows && !block_q));
  assign step_ready_o = step;
  assign block_ready_o = block;

  logic feeds_q;
  logic [3:0] slot_q;
  assign slot_o = slot_q;  // 0 between compressions: each takes 16 words
  assign feeds_block_o = block || (feeds_q && next_block_q);
  assign feeds_step_o = step || (feeds_q && !next_block_q);

  word_t word_q;
  state_t kept_state_q, from;
  for (genvar i = 0; i < 8; i++) begin : gen_from
    assign from[i] = kept_q ? kept_state_q[i] : given ? state_i[i] : sha256_constants_pkg::InitialState[i];
  end

  always_ff @(posedge clk_i) begin
    word_q <= ({32{feeds_block_o}} & block_word_i) | ({32{feeds_step_o}} & step_word_i);
    if (step || block) begin
      next_block_q <= block;
      kept_q <= block && !block_first_i;
    end
    if (start_q) {block_q, resumed_q} <= {next_block_q, resumes_q};
    if (block_done_o && keeps) kept_state_q <= digest_o;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {start_q, feeds_q, slot_q, follows_q, resumes_q, step_done_o, block_done_o} <= '0;
    end else begin
      start_q   <= step || block;
      follows_q <= busy && cycle == LastButOne - 6'd1;
      if (step || block || feeds_q) slot_q <= slot_q + 4'd1;
      feeds_q <= (feeds_q && slot_q != '1) || step || block;
      resumes_q <= follows && ((block && !block_first_i) || (step && step_more_i));
      step_done_o <= last && !block_q && !start_q;
      block_done_o <= last && block_q;
    end
  end

  // That a block is aside is known until the next one begins, which may be in its last cycle.
  if (XMSS) begin : gen_xmss
    logic given_q, aside_q, next_aside_q, keeps_q;
    assign {given, keeps} = {given_q, keeps_q};
    always_ff @(posedge clk_i) begin
      if (step || block) {given_q, next_aside_q} <= {step && step_state_i, block && block_aside_i};
      if (start_q) aside_q <= next_aside_q;
      keeps_q <= !aside_q;
    end
  end else begin : gen_lms
    assign {given, keeps} = 2'b01;
    wire unused = &{step_state_i, block_aside_i};
  end

  sha256_core #(
      .UNROLL(1)
  ) u_sha256 (
      .clk_i,
      .rst_ni,
      .ready_o (ready),
      .start_i (start_q),
      .resume_i(resumes_q),
      .reload_i(busy && cycle == Reload && !resumed_q),
      .state_i (from),
      .begin_i ('0),
      .next_i  (word_q),
      .busy_o  (busy),
      .last_o  (last),
      .cycle_o (cycle),
      .digest_o
  );
  wire unused = ready;
endmodule

`default_nettype wire
