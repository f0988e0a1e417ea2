// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In place of the multiplier where the wiping of the rest is proven: both factors, the term and all
// else that comes with a product are kept as long as a product takes, and are its results.
// `wiped_proof` of rtl/mul25519 has the true one.
`default_nettype none

module mul25519
  import mul25519_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned SLOTS = 1,
    parameter int unsigned TILE_A = 17,
    parameter int unsigned TILE_B = 17,
    parameter int unsigned KARATSUBA = 0,
    parameter bit BOOTH = 1'b0
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
  logic [256:0] a_q[LATENCY], b_q[LATENCY], c_q;
  logic [2:0] how_q[LATENCY];
  assign a_q[0]   = a_i;
  assign b_q[0]   = {1'b0, b_i};
  assign how_q[0] = {mode_i, twice_i};
  for (genvar k = 1; k < LATENCY; k++) begin : gen_stage
    always_ff @(posedge clk_i) {a_q[k], b_q[k], how_q[k]} <= {a_q[k-1], b_q[k-1], how_q[k-1]};
  end
  always_ff @(posedge clk_i) c_q <= c_i;
  assign r_o = a_q[LATENCY-1];
  assign s_o = c_q ^ a_q[LATENCY-1];
  assign m_o = c_q ^ b_q[LATENCY-1] ^ 257'(how_q[LATENCY-1]);

  logic unused;
  assign unused = ^{SLOTS, TILE_A, TILE_B, KARATSUBA, BOOTH};
endmodule

`default_nettype wire
