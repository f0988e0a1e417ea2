// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Collects beats of a narrow stream into words of WORDS beats, the first in the low bits. A last
// beat ends its word early; what is missing reads as zero.
`default_nettype none

module axis_widen #(
    parameter int unsigned BITS  = 32,
    parameter int unsigned WORDS = 8
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    output logic ready_o,
    input wire [BITS-1:0] data_i,
    input wire last_i,
    output logic valid_o,
    input wire ready_i,
    output logic [WORDS-1:0][BITS-1:0] data_o,
    output logic [$clog2(WORDS+1)-1:0] count_o,  // beats in the word
    output logic last_o
);

  localparam int unsigned CountBits = $clog2(WORDS + 1);
  logic taken, accept;
  logic [CountBits-1:0] at;
  assign taken = valid_o && ready_i;
  assign ready_o = !valid_o || ready_i;
  assign accept = valid_i && ready_o;
  assign at = taken ? '0 : count_o;

  always_ff @(posedge clk_i) begin
    if (taken) begin
      data_o  <= '0;
      count_o <= '0;
      valid_o <= 1'b0;
    end
    if (accept) begin
      for (int unsigned i = 0; i < WORDS; i++) if (CountBits'(i) == at) data_o[i] <= data_i;
      count_o <= at + 1'b1;
      last_o  <= last_i;
      valid_o <= last_i || at == CountBits'(WORDS - 1);
    end
    if (!rst_ni) begin
      data_o  <= '0;
      count_o <= '0;
      valid_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
