// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Product, sum and difference from x in three rows, all at once: none waits for another.
//
// With WRAPS the two rows in mode High may add up to 2^256 too much: the product's own bit 256
// tells, and all three have it taken off (modulo 2^257). The carry out of a product in mode Low is
// the carry into mode High of the same product, `SLOTS` cycles later.
`default_nettype none

module mul25519_results
  import mul25519_pkg::*;
#(
    parameter int unsigned SLOTS = 1,
    parameter bit WRAPS = 1'b0
) (
    input wire clk_i,
    input wire mode_e mode_i,
    input wire [Width-1:0] rows_i[2],
    input wire short_t short_i,
    input wire [256:0] c_i,
    output logic [256:0] r_o,
    output logic [256:0] s_o,
    output logic [256:0] m_o
);
  logic [Width-1:0] results [3];
  logic [SLOTS-1:0] carry_q;

  for (genvar k = 0; k < 3; k++) begin : gen_kind
    mul25519_choose #(
        .KIND(k)
    ) u_choose (
        .mode_i,
        .c_i,
        .carry_i (carry_q[SLOTS-1] && mode_i == ModeHigh),
        .rows_i,
        .short_i,
        .chosen_o(results[k])
    );
  end
  always_ff @(posedge clk_i) carry_q <= SLOTS'({carry_q, results[0][257]});

  logic [256:0] wrap;
  assign wrap = {WRAPS && mode_i == ModeHigh && results[0][256], 256'b0};
  assign r_o  = results[0][256:0] ^ wrap;
  assign s_o  = results[1][256:0] ^ wrap;
  assign m_o  = results[2][256:0] ^ wrap;

  logic unused_bits;
  assign unused_bits = ^{results[0][Width-1], results[1][Width-1:257], results[2][Width-1:257]};
endmodule

`default_nettype wire
