// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Cuts words into beats, low bits first; the last beat of a last word carries TLAST.
`default_nettype none

module axis_narrow #(
    parameter int unsigned BITS  = 32,
    parameter int unsigned WORDS = 8
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    output logic ready_o,
    input wire [WORDS-1:0][BITS-1:0] data_i,
    input wire [$clog2(WORDS+1)-1:0] count_i,  // beats of the word, at least 1
    input wire last_i,
    output logic valid_o,
    input wire ready_i,
    output logic [BITS-1:0] data_o,
    output logic last_o
);

  localparam int unsigned CountBits = $clog2(WORDS + 1);
  logic [WORDS-1:0][BITS-1:0] word_q;
  logic [CountBits-1:0] left_q;
  logic ends_q, leaves;
  assign valid_o = left_q != '0;
  assign leaves  = valid_o && ready_i;
  assign ready_o = !valid_o || (leaves && left_q == CountBits'(1));
  assign data_o  = word_q[0];
  assign last_o  = ends_q && left_q == CountBits'(1);

  always_ff @(posedge clk_i) begin
    if (leaves) begin
      word_q <= (WORDS * BITS)'(word_q >> BITS);
      left_q <= left_q - 1'b1;
    end
    if (valid_i && ready_o) begin
      word_q <= data_i;
      left_q <= count_i;
      ends_q <= last_i;
    end
    if (!rst_ni) left_q <= '0;
  end

endmodule

`default_nettype wire
