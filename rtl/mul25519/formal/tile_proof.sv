// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// mul25519_tile is the product as it is done by hand: a shifted copy of one factor for each bit of
// the other that is 1.
`default_nettype none

module tile_proof #(
    parameter int unsigned TILE_A = 17,
    parameter int unsigned TILE_B = 17,
    localparam int unsigned Tile = TILE_A + TILE_B
) (
    input wire [TILE_A-1:0] a_i,
    input wire [TILE_B-1:0] b_i,
    output logic differs_o
);
  logic [Tile-1:0] ours, theirs;
  mul25519_tile #(
      .TILE_A(TILE_A),
      .TILE_B(TILE_B)
  ) u_tile (
      .a_i,
      .b_i,
      .p_o(ours)
  );

  always_comb begin
    theirs = '0;
    for (int i = 0; i < TILE_B; i++) if (b_i[i]) theirs += Tile'(a_i) << i;
  end
  assign differs_o = ours != theirs;
endmodule

`default_nettype wire
