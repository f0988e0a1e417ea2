// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The last of the eight sums that is not negative; the first in the modes without a modulus.
`default_nettype none

module mul25519_select
  import mul25519_pkg::*;
#(
    localparam int unsigned Width = 260
) (
    input wire mode_e mode_i,
    input wire [Width-1:0] sums_i[8],
    output logic [256:0] r_o
);
  logic raw;
  logic [8:0] negative;
  logic [7:0] chosen;

  assign raw = mode_i == ModeLow || mode_i == ModeHigh;
  assign negative[8] = 1'b1;
  for (genvar j = 0; j < 8; j++) begin : gen_sum
    assign negative[j] = j == 0 ? 1'b0 : raw | sums_i[j][Width-1];
    assign chosen[j]   = negative[j+1] & ~negative[j];
  end

  always_comb begin
    r_o = '0;
    for (int unsigned j = 0; j < 8; j++) r_o |= {257{chosen[j]}} & sums_i[j][256:0];
  end

  logic unused_bits;
  assign unused_bits = ^{sums_i[0][Width-1:257], sums_i[1][258:257], sums_i[2][258:257], sums_i[3][258:257],
                         sums_i[4][258:257], sums_i[5][258:257], sums_i[6][258:257], sums_i[7][258:257]};
endmodule
