// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-512 of a stream, one round per cycle: 80 rounds and one cycle to add the chaining value.
//
// `start_i` begins a message, from the initial state or, with `resume_i`, from a midstate after
// `prior_i` bytes (a multiple of 128). Words are taken during the first sixteen rounds of a block.
// `done_o` stays up, with the digest (byte 0 in bits 7 to 0), until the next start. After sixteen
// cycles of `wipe_i` nothing is left of any message.
`default_nettype none

module sha512
  import sha512_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire wipe_i,
    input wire start_i,
    input wire resume_i,
    input wire [511:0] midstate_i,
    input wire [60:0] prior_i,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] data_i,
    input wire [3:0] bytes_i,
    input wire last_i,
    output logic done_o,
    output logic [511:0] digest_o
);
  logic [7:0][63:0] state_q, state_d, chain_q;
  logic [6:0] round_q;
  logic [63:0] padded, word, scheduled;
  logic load, step, finish, padded_valid, padded_last, last_q, done_q, kept_n;

  assign kept_n = rst_ni && !wipe_i;
  assign load   = round_q[6:4] == '0;
  assign finish = round_q == 7'd80;
  assign step   = !finish && (!load || padded_valid);
  assign word   = load ? padded : scheduled;

  sha512_pad u_pad (
      .clk_i,
      .rst_ni (kept_n),
      .start_i,
      .prior_i(resume_i ? prior_i : '0),
      .valid_i,
      .ready_o,
      .data_i,
      .bytes_i,
      .last_i,
      .valid_o(padded_valid),
      .ready_i(load),
      .word_o (padded),
      .last_o (padded_last)
  );

  sha512_schedule u_schedule (
      .clk_i,
      .advance_i(step || wipe_i),
      .word_i(wipe_i ? '0 : word),
      .next_o(scheduled)
  );

  sha512_round u_round (
      .state_i(state_q),
      .constant_i(round_constant(round_q)),
      .word_i(word),
      .state_o(state_d)
  );

  logic [7:0][63:0] sum;
  for (genvar i = 0; i < 8; i++) begin : gen_sum
    assign sum[i] = chain_q[i] + state_q[i];
    for (genvar j = 0; j < 8; j++) begin : gen_byte
      assign digest_o[64*(7-i)+8*j+:8] = chain_q[i][8*(7-j)+:8];
    end
  end
  assign done_o = done_q;

  always_ff @(posedge clk_i) begin
    if (start_i || wipe_i) begin
      state_q <= resume_i ? midstate_i : InitialState;
      chain_q <= resume_i ? midstate_i : InitialState;
    end else if (step) begin
      state_q <= state_d;
    end else if (finish) begin
      state_q <= sum;
      chain_q <= sum;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!kept_n) begin
      round_q <= '0;
      last_q  <= 1'b0;
      done_q  <= 1'b0;
    end else if (start_i) begin
      round_q <= '0;
      last_q  <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      if (step) round_q <= round_q + 7'd1;
      if (finish) round_q <= '0;
      if (load && padded_valid && padded_last) last_q <= 1'b1;
      if (finish && last_q) done_q <= 1'b1;
    end
  end
endmodule

`default_nettype wire
