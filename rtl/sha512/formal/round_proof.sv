// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// sha512_round is the round of the standard's text, for every state, constant and word, and
// sha512_schedule makes the text's next word of any sixteen.
`default_nettype none

module round_proof (
    input wire clk_i,
    input wire [7:0][63:0] state_i,
    input wire [63:0] constant_i,
    input wire [63:0] word_i,
    output logic differs_o
);
  logic [7:0][63:0] state;
  sha512_round u_round (
      .state_i,
      .constant_i,
      .word_i,
      .state_o(state)
  );

  logic [63:0] next;
  sha512_schedule u_schedule (
      .clk_i,
      .advance_i(1'b1),
      .word_i,
      .next_o(next)
  );

  // The words that it has to hold a cycle later.
  logic [15:0][63:0] words_q;
  always_ff @(posedge clk_i) words_q <= {word_i, u_schedule.words_q[15:1]};

  assign differs_o = state != sha512_text::round(state_i, constant_i, word_i) || next != sha512_text::word(u_schedule.words_q) ||
      u_schedule.words_q != words_q;
endmodule

`default_nettype wire
