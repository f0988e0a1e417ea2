// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Registers of the factors: those of the lane whose slot it is.
`default_nettype none

module ed25519_factors #(
    parameter int unsigned LANES = 1
) (
    input wire clk_i,
    input wire [LANES-1:0] slot_i,
    input wire [LANES-1:0] issue_i,
    input wire [256:0] a_i[LANES],
    input wire [255:0] b_i[LANES],
    output logic [256:0] a_o,
    output logic [255:0] b_o
);
  logic [256:0] a;
  logic [255:0] b;

  always_comb begin
    {a, b} = '0;
    for (int unsigned i = 0; i < LANES; i++) begin
      a |= {257{slot_i[i]}} & a_i[i];
      b |= {256{slot_i[i]}} & b_i[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (|issue_i) begin
      a_o <= a;
      b_o <= b;
    end
  end
endmodule

`default_nettype wire
