// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In place of the multiplier's tiles and tree where something else is tested: the product by `*`,
// which simulates and compiles in a fraction of the time.
`default_nettype none

module mul25519_rows
  import mul25519_cuts_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned TILE_A  = 17,
    parameter int unsigned TILE_B  = 17
) (
    input wire clk_i,
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    output logic [512:0] rows_o[2]
);
  localparam int unsigned Registers = before_fold(cuts(LATENCY, 1'b0));

  logic [512:0] product[Registers+1];
  assign product[0] = 513'(a_i) * 513'(b_i);
  for (genvar k = 0; k < Registers; k++) begin : gen_register
    always_ff @(posedge clk_i) product[k+1] <= product[k];
  end
  assign rows_o = '{product[Registers], '0};

  logic unused;
  assign unused = clk_i ^ (TILE_A == TILE_B);
endmodule

`default_nettype wire
