// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Message schedule (FIPS 180-4, Section 6.4.2 (SHA-512 Hash Computation), step 1): the sixteen last
// words and the one that follows.
`default_nettype none

module sha512_schedule (
    input wire clk_i,
    input wire advance_i,
    input wire [63:0] word_i,
    output logic [63:0] next_o
);
  // words_q[0] is the oldest.
  logic [15:0][63:0] words_q;
  logic [63:0] w1, w14, small0, small1;

  assign w1 = words_q[1];
  assign w14 = words_q[14];
  assign small0 = {w1[0], w1[63:1]} ^ {w1[7:0], w1[63:8]} ^ {7'b0, w1[63:7]};
  assign small1 = {w14[18:0], w14[63:19]} ^ {w14[60:0], w14[63:61]} ^ {6'b0, w14[63:6]};
  assign next_o = small1 + words_q[9] + small0 + words_q[0];

  always_ff @(posedge clk_i) if (advance_i) words_q <= {word_i, words_q[15:1]};
endmodule

`default_nettype wire
