// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Modular addition and subtraction behind the reduction: s = c + r and m = c - r (r - c when reversed).
// Modulo p, modulo L, or modulo 2^257 in the modes without a modulus.
`default_nettype none

module mul25519_butterfly
  import mul25519_pkg::*;
(
    input wire mode_e mode_i,
    input wire reversed_i,
    input wire [256:0] r_i,
    input wire [256:0] c_i,
    output logic [256:0] s_o,
    output logic [256:0] m_o
);
  logic raw;
  logic [258:0] modulus, from, take, sum, sum_less, difference, difference_more;

  assign raw = mode_i == ModeLow || mode_i == ModeHigh;
  assign modulus = mode_i == ModeScalar ? 259'(L) : 259'(P);
  assign from = 259'(reversed_i ? r_i : c_i);
  assign take = 259'(reversed_i ? c_i : r_i);

  assign sum = 259'(c_i) + 259'(r_i);
  assign sum_less = 259'(c_i) + 259'(r_i) - modulus;
  assign difference = from - take;
  assign difference_more = from - take + modulus;

  assign s_o = raw || sum_less[258] ? sum[256:0] : sum_less[256:0];
  assign m_o = raw || !difference[258] ? difference[256:0] : difference_more[256:0];

  logic unused_bits;
  assign unused_bits = ^{sum[258:257], sum_less[257], difference[257], difference_more[258:257]};
endmodule
