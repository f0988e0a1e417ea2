// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The memory of the verifier's stack: 96 words of 32 bits. A word is written or read in the cycle
// after it was asked for. Nobody else can reach it, and the verifier does not believe it.
module soc_stack (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    output logic ready_o,
    input wire write_i,
    input wire [6:0] address_i,
    input wire [31:0] data_i,
    output logic [31:0] data_o
);
  logic [31:0] words[96];
  logic ready_q;
  logic [31:0] word_q;
  assign ready_o = ready_q;
  assign data_o  = word_q;
  always_ff @(posedge clk_i) begin
    ready_q <= rst_ni && valid_i && !ready_q;
    word_q  <= words[address_i];
    if (valid_i && write_i && !ready_q) words[address_i] <= data_i;
  end
endmodule

`default_nettype wire
