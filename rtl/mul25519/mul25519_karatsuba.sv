// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The product in two rows that are not yet added, by Karatsuba's method, LEVELS times: 3^LEVELS
// products of the length 256 / 2^LEVELS in place of 4^LEVELS. Terms are taken off, so the rows add
// up to the product modulo 2^513 only: mul25519_reduce and mul25519_results are told so by WRAPS.
// Registers are where mul25519_rows has them.
`default_nettype none

module mul25519_karatsuba
  import mul25519_karatsuba_pkg::*;
  import mul25519_cuts_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned LEVELS  = 1,
    parameter int unsigned TILE_A  = 17,
    parameter int unsigned TILE_B  = 17
) (
    input wire clk_i,
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    output logic [512:0] rows_o[2]
);
  localparam cuts_t Cuts = cuts(LATENCY, 1'b0);
  localparam int unsigned Longest = part_bits(LEVELS) + LEVELS;
  localparam int unsigned Width = 2 * Longest;
  localparam int unsigned Each = 2 * ((Longest + TILE_A - 1) / TILE_A);
  localparam int unsigned Leaves = leaf_count(LEVELS) * Each;
  localparam int unsigned Rows = 2 * row_count(LEVELS) + 2;

  logic [256:0] in[2], in_q[2], top[1], top_q[1];
  logic [Width-1:0] tiles[Leaves], tiles_q[Leaves];
  logic [512:0] placed[Rows-1], rows[Rows];

  assign in = '{a_i, {1'b0, b_i}};
  mul25519_stage #(
      .REGISTER(Cuts.entry),
      .ROWS(2),
      .WIDTH(257)
  ) u_cut_in (
      .clk_i,
      .rows_i(in),
      .rows_o(in_q)
  );

  mul25519_leaves #(
      .LEVELS(LEVELS),
      .TILE_A(TILE_A),
      .TILE_B(TILE_B),
      .WIDTH (Width),
      .EACH  (Each)
  ) u_leaves (
      .a_i(in_q[0][255:0]),
      .b_i(in_q[1][255:0]),
      .rows_o(tiles)
  );
  mul25519_stage #(
      .REGISTER(Cuts.tiles),
      .ROWS(Leaves),
      .WIDTH(Width)
  ) u_cut_tiles (
      .clk_i,
      .rows_i(tiles),
      .rows_o(tiles_q)
  );
  // Bit 256 of `a` stands alone.
  assign top[0] = in_q[0][256] ? in_q[1] : '0;
  mul25519_stage #(
      .REGISTER(Cuts.tiles),
      .ROWS(1),
      .WIDTH(257)
  ) u_cut_top (
      .clk_i,
      .rows_i(top),
      .rows_o(top_q)
  );

  mul25519_place #(
      .LEVELS(LEVELS),
      .WIDTH (Width),
      .EACH  (Each)
  ) u_place (
      .leaves_i(tiles_q),
      .rows_o  (placed)
  );
  assign rows[Rows-1] = {top_q[0], 256'b0};
  for (genvar r = 0; r < Rows - 1; r++) begin : gen_row
    assign rows[r] = placed[r];
  end
  mul25519_sum #(
      .LATENCY(LATENCY),
      .ROWS(Rows)
  ) u_sum (
      .clk_i,
      .rows_i(rows),
      .rows_o
  );
endmodule

`default_nettype wire
