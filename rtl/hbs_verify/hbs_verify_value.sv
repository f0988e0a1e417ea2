// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The value that a chain begins with, a word at a time.
module hbs_verify_value (
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire push_i,
    input wire [31:0] word_i,
    input wire pop_i,  // never with `push_i`
    output logic there_o,  // all of it
    output logic empty_o,
    output logic [31:0] word_o
);
  // Six words begin at the third place.
  logic [7:0][31:0] words_q;
  logic [3:0] count_q;
  assign there_o = count_q == (n24_i ? 4'd6 : 4'd8);
  assign empty_o = count_q == '0;
  assign word_o  = n24_i ? words_q[2] : words_q[0];

  always_ff @(posedge clk_i) begin
    if (push_i || pop_i) words_q <= {word_i, words_q[7:1]};
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + 4'(push_i) - 4'(pop_i);
  end
endmodule

`default_nettype wire
