// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A short product as rows to be added, from tiles of at most TILE_A x TILE_B bits. Tiles of one
// chunk of `a` that stand two apart do not overlap, so each chunk gives two rows.
`default_nettype none

module mul25519_leaf #(
    parameter int unsigned WIDTH = 64,
    parameter int unsigned TILE_A = 17,
    parameter int unsigned TILE_B = 17,
    parameter int unsigned OUT = 132,
    localparam int unsigned ChunksA = (WIDTH + TILE_A - 1) / TILE_A,
    localparam int unsigned ChunksB = (WIDTH + TILE_B - 1) / TILE_B,
    localparam int unsigned Rows = 2 * ChunksA
) (
    input  wire  [WIDTH-1:0] a_i,
    input  wire  [WIDTH-1:0] b_i,
    output logic [  OUT-1:0] rows_o[Rows]
);
  // As short as so many tiles can be.
  localparam int unsigned ChunkA = (WIDTH + ChunksA - 1) / ChunksA;
  localparam int unsigned ChunkB = (WIDTH + ChunksB - 1) / ChunksB;
  localparam int unsigned Tile = ChunkA + ChunkB;

  logic [ChunksA*ChunkA-1:0] a;
  logic [ChunksB*ChunkB-1:0] b;
  assign a = (ChunksA * ChunkA)'(a_i);
  assign b = (ChunksB * ChunkB)'(b_i);

  for (genvar i = 0; i < ChunksA; i++) begin : gen_chunk
    logic [Tile-1:0] products[ChunksB];
    logic [OUT+2*Tile-1:0] even, odd;
    for (genvar j = 0; j < ChunksB; j++) begin : gen_tile
      mul25519_tile #(
          .TILE_A(ChunkA),
          .TILE_B(ChunkB)
      ) u_tile (
          .a_i(a[ChunkA*i+:ChunkA]),
          .b_i(b[ChunkB*j+:ChunkB]),
          .p_o(products[j])
      );
    end
    always_comb begin
      even = '0;
      odd  = '0;
      for (int unsigned j = 0; j < ChunksB; j += 2) even[ChunkB*j+:Tile] = products[j];
      for (int unsigned j = 1; j < ChunksB; j += 2) odd[ChunkB*j+:Tile] = products[j];
    end
    // The part cut off is 0, as the product has not more than twice WIDTH bits.
    assign rows_o[2*i]   = OUT'(even << (ChunkA * i));
    assign rows_o[2*i+1] = OUT'(odd << (ChunkA * i));
  end
endmodule

`default_nettype wire
