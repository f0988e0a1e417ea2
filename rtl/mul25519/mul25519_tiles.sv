// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The partial products of a 257x256-bit product as rows to be added, from tiles of TILE_A x TILE_B
// bits.
//
// Tiles cover the low 255 bits of both factors (15 x 15 of 17x17, or 15 x 11 of 17x24). Tiles of
// one chunk of `a` that stand two apart do not overlap, so each chunk gives two rows. The top bits
// of `a` and `b`, used by the arithmetic modulo L and by doubled products, are three more rows.
`default_nettype none

module mul25519_tiles #(
    parameter int unsigned TILE_A = 17,
    parameter int unsigned TILE_B = 17,
    localparam int unsigned ChunksA = (255 + TILE_A - 1) / TILE_A,
    localparam int unsigned ChunksB = (255 + TILE_B - 1) / TILE_B,
    localparam int unsigned Rows = 2 * ChunksA + 3
) (
    input  wire  [256:0] a_i,
    input  wire  [255:0] b_i,
    output logic [512:0] rows_o[Rows]
);
  localparam int unsigned PaddedA = ChunksA * TILE_A;
  localparam int unsigned PaddedB = ChunksB * TILE_B;
  localparam int unsigned Tile = TILE_A + TILE_B;

  logic [PaddedA-1:0] a;
  logic [PaddedB-1:0] b;
  assign a = PaddedA'(a_i[254:0]);
  assign b = PaddedB'(b_i[254:0]);

  for (genvar i = 0; i < ChunksA; i++) begin : gen_chunk
    logic [Tile-1:0] products[ChunksB];
    logic [PaddedB+Tile-1:0] even, odd;
    for (genvar j = 0; j < ChunksB; j++) begin : gen_tile
      mul25519_tile #(
          .TILE_A(TILE_A),
          .TILE_B(TILE_B)
      ) u_tile (
          .a_i(a[TILE_A*i+:TILE_A]),
          .b_i(b[TILE_B*j+:TILE_B]),
          .p_o(products[j])
      );
    end
    always_comb begin
      even = '0;
      odd  = '0;
      for (int unsigned j = 0; j < ChunksB; j += 2) even[TILE_B*j+:Tile] = products[j];
      for (int unsigned j = 1; j < ChunksB; j += 2) odd[TILE_B*j+:Tile] = products[j];
    end
    assign rows_o[2*i]   = 513'(even) << (TILE_A * i);
    assign rows_o[2*i+1] = 513'(odd) << (TILE_A * i);
  end

  assign rows_o[Rows-3] = b_i[255] ? {1'b0, a_i, 255'b0} : '0;
  assign rows_o[Rows-2] = a_i[255] ? {3'b0, b_i[254:0], 255'b0} : '0;
  assign rows_o[Rows-1] = a_i[256] ? {2'b0, b_i[254:0], 256'b0} : '0;
endmodule

`default_nettype wire
