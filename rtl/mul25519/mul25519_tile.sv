// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One tile: the product of two short numbers, a DSP block where there are some.
`default_nettype none

module mul25519_tile #(
    parameter int unsigned TILE_A = 17,
    parameter int unsigned TILE_B = 17
) (
    input wire [TILE_A-1:0] a_i,
    input wire [TILE_B-1:0] b_i,
    output logic [TILE_A+TILE_B-1:0] p_o
);
  localparam int unsigned Tile = TILE_A + TILE_B;
  assign p_o = Tile'(a_i) * Tile'(b_i);
endmodule

`default_nettype wire
