// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The rows of mul25519_tiles add up to a b, whatever a tile makes: each row holds the products that
// it should, of the right parts of both factors, at their places, and nothing beside them; all
// products are in one row each. The three last rows are the bits of both factors that no tile
// takes. tile_proof shows what a tile makes.
`default_nettype none

module tiles_proof #(
    parameter int unsigned TILE_B = 17,
    localparam int unsigned TileA = 17,
    localparam int unsigned Tile = TileA + TILE_B,
    localparam int unsigned ChunksA = 255 / TileA,
    localparam int unsigned ChunksB = (255 + TILE_B - 1) / TILE_B,
    localparam int unsigned Rows = 2 * ChunksA + 3
) (
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    output logic differs_o
);
  logic [512:0] rows[Rows];
  mul25519_tiles #(
      .TILE_A(TileA),
      .TILE_B(TILE_B)
  ) u_tiles (
      .a_i,
      .b_i,
      .rows_o(rows)
  );

  logic [ChunksA-1:0] wrong;
  logic [ChunksB*TILE_B-1:0] b;
  assign b = (ChunksB * TILE_B)'(b_i[254:0]);
  for (genvar i = 0; i < ChunksA; i++) begin : gen_chunk
    // The products of a chunk of a, in the places of both rows together.
    logic [1:0][ChunksB*TILE_B+Tile-1:0] sums;
    logic [ChunksB-1:0][Tile-1:0] products;
    for (genvar j = 0; j < ChunksB; j++) begin : gen_product
      mul25519_tile #(
          .TILE_A(TileA),
          .TILE_B(TILE_B)
      ) u_tile (
          .a_i(a_i[TileA*i+:TileA]),
          .b_i(b[TILE_B*j+:TILE_B]),
          .p_o(products[j])
      );
    end
    always_comb begin
      sums = '0;
      for (int j = 0; j < ChunksB; j++) sums[j%2] += {(ChunksB * TILE_B)'(0), products[j]} << (TILE_B * j);
    end
    assign wrong[i] = rows[2*i] != 513'(sums[0]) << (TileA * i) || rows[2*i+1] != 513'(sums[1]) << (TileA * i);
  end

  // a b = low a low b + a[255] 2^255 low b + a[256] 2^256 low b + b[255] 2^255 a.
  logic over;
  assign over = rows[Rows-1] != (a_i[256] ? 513'(b_i[254:0]) << 256 : '0);
  assign differs_o = |wrong || over || rows[Rows-2] != (a_i[255] ? 513'(b_i[254:0]) << 255 : '0)
      || rows[Rows-3] != (b_i[255] ? 513'(a_i) << 255 : '0);
endmodule

`default_nettype wire
