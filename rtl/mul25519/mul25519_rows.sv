// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The product in two rows that are not yet added: tiles and carry-save tree.
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
  localparam int unsigned Rows = 2 * ((255 + TILE_A - 1) / TILE_A) + 3;
  localparam cuts_t Cuts = cuts(LATENCY, 1'b0);

  logic [256:0] in[2], in_q[2];
  logic [512:0] tiles[Rows], tiles_q[Rows], tree0[10], tree0_q[10], tree1[4], tree1_q[4], tree[2];

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

  mul25519_tiles #(
      .TILE_A(TILE_A),
      .TILE_B(TILE_B)
  ) u_tiles (
      .a_i(in_q[0]),
      .b_i(in_q[1][255:0]),
      .rows_o(tiles)
  );
  mul25519_stage #(
      .REGISTER(Cuts.tiles),
      .ROWS(Rows),
      .WIDTH(513)
  ) u_cut_tiles (
      .clk_i,
      .rows_i(tiles),
      .rows_o(tiles_q)
  );

  mul25519_tree #(
      .IN (Rows),
      .OUT(10)
  ) u_tree0 (
      .rows_i(tiles_q),
      .rows_o(tree0)
  );
  mul25519_stage #(
      .REGISTER(Cuts.tree0),
      .ROWS(10),
      .WIDTH(513)
  ) u_cut_tree0 (
      .clk_i,
      .rows_i(tree0),
      .rows_o(tree0_q)
  );

  mul25519_tree #(
      .IN (10),
      .OUT(4)
  ) u_tree1 (
      .rows_i(tree0_q),
      .rows_o(tree1)
  );
  mul25519_stage #(
      .REGISTER(Cuts.tree1),
      .ROWS(4),
      .WIDTH(513)
  ) u_cut_tree1 (
      .clk_i,
      .rows_i(tree1),
      .rows_o(tree1_q)
  );

  mul25519_tree #(
      .IN (4),
      .OUT(2)
  ) u_tree2 (
      .rows_i(tree1_q),
      .rows_o(tree)
  );
  mul25519_stage #(
      .REGISTER(Cuts.tree2),
      .ROWS(2),
      .WIDTH(513)
  ) u_cut_tree2 (
      .clk_i,
      .rows_i(tree),
      .rows_o
  );

  logic unused_top;
  assign unused_top = in_q[1][256];
endmodule

`default_nettype wire
