// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Pipelined multiplier modulo p (or L, or of raw bits) with modular addition and subtraction behind it.
//
// One product per cycle. `a_i`, `b_i` and `mode_i` come from registers; the results for them are out, still
// combinational, in cycle LATENCY - 1 after, to be registered by the user: a product issued in cycle n can be
// a factor again in cycle n + LATENCY. `c_i` and `reversed_i` belong to the results and come in that last cycle.
// Modes Low and High of one product are issued `SLOTS` cycles apart, in that order.
`default_nettype none

module mul25519
  import mul25519_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned SLOTS   = 1,
    parameter int unsigned TILE_A  = 17,
    parameter int unsigned TILE_B  = 17
) (
    input wire clk_i,
    input wire mode_e mode_i,
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    input wire [256:0] c_i,
    input wire reversed_i,
    output logic [256:0] r_o,
    output logic [256:0] s_o,
    output logic [256:0] m_o
);
  localparam int unsigned Rows = 2 * ((255 + TILE_A - 1) / TILE_A) + 3;
  localparam int unsigned Width = 260;
  // Which cuts carry registers: tiles, two in the tree, tree end, fold, sums, selection.
  localparam bit CutTiles = LATENCY >= 4;
  localparam bit CutTree0 = LATENCY >= 6;
  localparam bit CutTree1 = LATENCY >= 8;
  localparam bit CutFold = LATENCY >= 5;
  localparam bit CutSums = LATENCY >= 7;
  localparam bit CutSelect = LATENCY >= 3;

  // Mode and sign of `a` travel along.
  localparam int unsigned Tag = 3;
  logic [Tag-1:0] tag0[1], tag1[1], tag2[1], tag3[1], tag4[1], tag5[1], tag6[1], tag7[1];
  mode_e mode4, mode5, mode6, mode7;

  logic [512:0] tiles[Rows], tiles_q[Rows], tree0[10], tree0_q[10], tree1[4], tree1_q[4], tree[2], tree_q[2];
  logic [Width-1:0] fold[2], fold_q[2], sums[8], sums_q[8];
  logic [256:0] selected[1], selected_q[1];

  assign tag0[0] = {a_i[256], mode_i};

  mul25519_tiles #(
      .TILE_A(TILE_A),
      .TILE_B(TILE_B)
  ) u_tiles (
      .a_i,
      .b_i,
      .rows_o(tiles)
  );
  mul25519_stage #(
      .REGISTER(CutTiles),
      .ROWS(Rows),
      .WIDTH(513)
  ) u_cut_tiles (
      .clk_i,
      .rows_i(tiles),
      .rows_o(tiles_q)
  );
  mul25519_stage #(
      .REGISTER(CutTiles),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_tiles (
      .clk_i,
      .rows_i(tag0),
      .rows_o(tag1)
  );

  mul25519_compress #(
      .IN(Rows),
      .OUT(10),
      .WIDTH(513)
  ) u_tree0 (
      .rows_i(tiles_q),
      .rows_o(tree0)
  );
  mul25519_stage #(
      .REGISTER(CutTree0),
      .ROWS(10),
      .WIDTH(513)
  ) u_cut_tree0 (
      .clk_i,
      .rows_i(tree0),
      .rows_o(tree0_q)
  );
  mul25519_stage #(
      .REGISTER(CutTree0),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_tree0 (
      .clk_i,
      .rows_i(tag1),
      .rows_o(tag2)
  );

  mul25519_compress #(
      .IN(10),
      .OUT(4),
      .WIDTH(513)
  ) u_tree1 (
      .rows_i(tree0_q),
      .rows_o(tree1)
  );
  mul25519_stage #(
      .REGISTER(CutTree1),
      .ROWS(4),
      .WIDTH(513)
  ) u_cut_tree1 (
      .clk_i,
      .rows_i(tree1),
      .rows_o(tree1_q)
  );
  mul25519_stage #(
      .REGISTER(CutTree1),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_tree1 (
      .clk_i,
      .rows_i(tag2),
      .rows_o(tag3)
  );

  mul25519_compress #(
      .IN(4),
      .OUT(2),
      .WIDTH(513)
  ) u_tree2 (
      .rows_i(tree1_q),
      .rows_o(tree)
  );
  mul25519_stage #(
      .REGISTER(1'b1),
      .ROWS(2),
      .WIDTH(513)
  ) u_cut_tree2 (
      .clk_i,
      .rows_i(tree),
      .rows_o(tree_q)
  );
  mul25519_stage #(
      .REGISTER(1'b1),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_tree2 (
      .clk_i,
      .rows_i(tag3),
      .rows_o(tag4)
  );

  assign mode4 = mode_e'(tag4[0][1:0]);
  mul25519_fold u_fold (
      .mode_i(mode4),
      .negative_i(tag4[0][2]),
      .rows_i(tree_q),
      .rows_o(fold)
  );
  mul25519_stage #(
      .REGISTER(CutFold),
      .ROWS(2),
      .WIDTH(Width)
  ) u_cut_fold (
      .clk_i,
      .rows_i(fold),
      .rows_o(fold_q)
  );
  mul25519_stage #(
      .REGISTER(CutFold),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_fold (
      .clk_i,
      .rows_i(tag4),
      .rows_o(tag5)
  );

  assign mode5 = mode_e'(tag5[0][1:0]);
  logic [SLOTS-1:0] carry_q;
  mul25519_multiples u_multiples (
      .mode_i (mode5),
      .carry_i(carry_q[SLOTS-1]),
      .rows_i (fold_q),
      .sums_o (sums)
  );
  always_ff @(posedge clk_i) carry_q <= SLOTS'({carry_q, sums[0][257]});
  mul25519_stage #(
      .REGISTER(CutSums),
      .ROWS(8),
      .WIDTH(Width)
  ) u_cut_sums (
      .clk_i,
      .rows_i(sums),
      .rows_o(sums_q)
  );
  mul25519_stage #(
      .REGISTER(CutSums),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_sums (
      .clk_i,
      .rows_i(tag5),
      .rows_o(tag6)
  );

  assign mode6 = mode_e'(tag6[0][1:0]);
  mul25519_select u_select (
      .mode_i(mode6),
      .sums_i(sums_q),
      .r_o(selected[0])
  );
  mul25519_stage #(
      .REGISTER(CutSelect),
      .ROWS(1),
      .WIDTH(257)
  ) u_cut_select (
      .clk_i,
      .rows_i(selected),
      .rows_o(selected_q)
  );
  mul25519_stage #(
      .REGISTER(CutSelect),
      .ROWS(1),
      .WIDTH(Tag)
  ) u_tag_select (
      .clk_i,
      .rows_i(tag6),
      .rows_o(tag7)
  );

  assign mode7 = mode_e'(tag7[0][1:0]);
  assign r_o   = selected_q[0];
  mul25519_butterfly u_butterfly (
      .mode_i(mode7),
      .reversed_i,
      .r_i(r_o),
      .c_i,
      .s_o,
      .m_o
  );

  logic unused_tag;
  assign unused_tag = ^{tag5[0][2], tag6[0][2], tag7[0][2]};
endmodule
