// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Pipelined multiplier modulo p (or L, or of raw bits) with modular addition and subtraction in the same step.
//
// One product per cycle. `a_i`, `b_i`, `twice_i` (the product is 2 a b) and `mode_i` come from registers; the results
// for them are out, still combinational, in cycle LATENCY - 1 after, to be registered by the user: a product issued in
// cycle n can be a factor again in cycle n + LATENCY. The term `c_i` of s = c + r and m = c - r is taken one cycle
// before the results come. Modes Low and High of one product are issued `SLOTS` cycles apart, in that order.
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
    input wire twice_i,
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    input wire [256:0] c_i,
    output logic [256:0] r_o,
    output logic [256:0] s_o,
    output logic [256:0] m_o
);
  localparam int unsigned Rows = 2 * ((255 + TILE_A - 1) / TILE_A) + 3;
  // Which cuts carry registers, in the order of the data: LATENCY - 1 of them.
  localparam bit CutIn = LATENCY >= 8;
  localparam bit CutTiles = LATENCY >= 3;
  localparam bit CutTree0 = LATENCY >= 6;
  localparam bit CutTree1 = LATENCY >= 7;
  localparam bit CutTree2 = LATENCY != 3;
  localparam bit CutFold = LATENCY == 3 || LATENCY >= 5;
  localparam bit CutEstimate = LATENCY >= 4;
  // Registers in front of the fold, the estimate and the results.
  localparam int unsigned AtFold = int'(CutIn) + int'(CutTiles) + int'(CutTree0) + int'(CutTree1) + int'(CutTree2);
  localparam int unsigned AtEstimate = AtFold + int'(CutFold);
  localparam int unsigned AtResults = AtEstimate + int'(CutEstimate);

  logic [256:0] in[2], in_q[2], c_q;
  logic [512:0] tiles[Rows], tiles_q[Rows], tree0[10], tree0_q[10], tree1[4], tree1_q[4], tree[2], tree_q[2];
  logic [Width-1:0] fold[2], fold_q[2], x[2], x_q[2];
  logic [5:0] tops[1], tops_q[1];
  short_t short_x;
  logic [$bits(short_t)-1:0] short_in[1], short_q[1];

  mode_e modes[LATENCY];
  assign modes[0] = mode_i;
  for (genvar k = 1; k < LATENCY; k++) begin : gen_mode
    always_ff @(posedge clk_i) modes[k] <= modes[k-1];
  end

  assign in = '{a_i, {1'b0, twice_i ? {b_i[254:0], 1'b0} : b_i}};
  mul25519_stage #(
      .REGISTER(CutIn),
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
      .REGISTER(CutTiles),
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
      .REGISTER(CutTree0),
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
      .REGISTER(CutTree1),
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
      .REGISTER(CutTree2),
      .ROWS(2),
      .WIDTH(513)
  ) u_cut_tree2 (
      .clk_i,
      .rows_i(tree),
      .rows_o(tree_q)
  );

  mul25519_fold u_fold (
      .mode_i(modes[AtFold]),
      .rows_i(tree_q),
      .rows_o(fold),
      .tops_o(tops[0])
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
      .WIDTH(6)
  ) u_cut_tops (
      .clk_i,
      .rows_i(tops),
      .rows_o(tops_q)
  );

  mul25519_estimate u_estimate (
      .mode_i (modes[AtEstimate]),
      .rows_i (fold_q),
      .tops_i (tops_q[0]),
      .rows_o (x),
      .short_o(short_x)
  );
  assign short_in[0] = short_x;
  mul25519_stage #(
      .REGISTER(CutEstimate),
      .ROWS(2),
      .WIDTH(Width)
  ) u_cut_estimate (
      .clk_i,
      .rows_i(x),
      .rows_o(x_q)
  );
  mul25519_stage #(
      .REGISTER(CutEstimate),
      .ROWS(1),
      .WIDTH($bits(short_t))
  ) u_cut_short (
      .clk_i,
      .rows_i(short_in),
      .rows_o(short_q)
  );

  mul25519_results #(
      .SLOTS(SLOTS)
  ) u_results (
      .clk_i,
      .mode_i (modes[AtResults]),
      .rows_i (x_q),
      .short_i(short_q[0]),
      .c_i    (c_q),
      .r_o,
      .s_o,
      .m_o
  );
  always_ff @(posedge clk_i) c_q <= c_i;

  logic unused_top;
  assign unused_top = in_q[1][256];
endmodule
