// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Rows of a product added down to two, with the registers of the carry-save tree.
`default_nettype none

module mul25519_sum
  import mul25519_cuts_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter bit BOOTH = 1'b0,
    parameter int unsigned ROWS = 33
) (
    input wire clk_i,
    input wire [512:0] rows_i[ROWS],
    output logic [512:0] rows_o[2]
);
  localparam cuts_t Cuts = cuts(LATENCY, BOOTH);
  logic [512:0] tree0[10], tree0_q[10], tree1[4], tree1_q[4], tree[2];

  mul25519_tree #(
      .IN  (ROWS),
      .OUT (10),
      .FOUR(BOOTH)
  ) u_tree0 (
      .rows_i,
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
      .IN  (10),
      .OUT (4),
      .FOUR(BOOTH)
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
      .IN  (4),
      .OUT (2),
      .FOUR(BOOTH)
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
endmodule

`default_nettype wire
