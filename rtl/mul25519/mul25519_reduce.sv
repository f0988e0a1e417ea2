// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The reduction up to the last addition: fold and estimate, with the registers between. The result
// is congruent to the product and in the range that `mul25519_choose` takes.
`default_nettype none

module mul25519_reduce
  import mul25519_pkg::*;
  import mul25519_cuts_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter bit BOOTH = 1'b0,
    // The rows add up to the product modulo 2^513 only.
    parameter bit WRAPS = 1'b0
) (
    input wire clk_i,
    // Modes of the product that is folded, and of the one whose multiple is estimated, in this
    // cycle.
    input wire mode_e fold_mode_i,
    input wire mode_e estimate_mode_i,
    input wire [512:0] rows_i[2],
    // With WRAPS, in mode Scalar: the number in place of rows.
    input wire [256:0] scalar_i,
    output logic [Width-1:0] rows_o[2],
    output short_t short_o
);
  localparam cuts_t Cuts = cuts(LATENCY, BOOTH);
  localparam int unsigned ShortBits = $bits(short_t);

  logic [Width-1:0] half[4], half_q[4], fold[2], fold_q[2], x[2];
  logic [6:0] tops[1], tops_half[1], tops_q[1];
  short_t short_x;
  logic [ShortBits-1:0] short_in[1], short_q[1];

  mul25519_fold #(
      .WRAPS(WRAPS),
      .FOUR (BOOTH)
  ) u_fold (
      .mode_i(fold_mode_i),
      .rows_i,
      .scalar_i,
      .rows_o(half),
      .tops_o(tops[0])
  );
  mul25519_stage #(
      .REGISTER(Cuts.half),
      .ROWS(4),
      .WIDTH(Width)
  ) u_cut_half (
      .clk_i,
      .rows_i(half),
      .rows_o(half_q)
  );
  mul25519_stage #(
      .REGISTER(Cuts.half),
      .ROWS(1),
      .WIDTH(7)
  ) u_cut_half_tops (
      .clk_i,
      .rows_i(tops),
      .rows_o(tops_half)
  );
  mul25519_compress #(
      .IN(4),
      .OUT(2),
      .WIDTH(Width),
      .FOUR(BOOTH)
  ) u_rest (
      .rows_i(half_q),
      .rows_o(fold)
  );
  mul25519_stage #(
      .REGISTER(Cuts.fold),
      .ROWS(2),
      .WIDTH(Width)
  ) u_cut_fold (
      .clk_i,
      .rows_i(fold),
      .rows_o(fold_q)
  );
  mul25519_stage #(
      .REGISTER(Cuts.fold),
      .ROWS(1),
      .WIDTH(7)
  ) u_cut_fold_tops (
      .clk_i,
      .rows_i(tops_half),
      .rows_o(tops_q)
  );

  mul25519_estimate #(
      .WRAPS(WRAPS)
  ) u_estimate (
      .mode_i (estimate_mode_i),
      .rows_i (fold_q),
      .tops_i (tops_q[0]),
      .rows_o (x),
      .short_o(short_x)
  );
  assign short_in[0] = short_x;
  mul25519_stage #(
      .REGISTER(Cuts.estimate),
      .ROWS(2),
      .WIDTH(Width)
  ) u_cut_estimate (
      .clk_i,
      .rows_i(x),
      .rows_o
  );
  mul25519_stage #(
      .REGISTER(Cuts.estimate),
      .ROWS(1),
      .WIDTH(ShortBits)
  ) u_cut_short (
      .clk_i,
      .rows_i(short_in),
      .rows_o(short_q)
  );
  assign short_o = short_q[0];
endmodule

`default_nettype wire
