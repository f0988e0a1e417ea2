// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Product, sum or difference from x in three rows: r = x, s = c + x or m = c - x, modulo p, modulo
// L, or modulo 2^257 in the modes without a modulus. Every number that may have to be added or
// taken off is tried side by side, by one carry-propagate adder each, in descending order; the last
// that is not negative is chosen (the first in the modes without a modulus).
//
// Field: x is below 2 p and c below p. Scalar: x is in (-L, L) and c below L. So three numbers are
// enough.
`default_nettype none

module mul25519_choose
  import mul25519_pkg::*;
#(
    // 0: the product, 1: the sum, 2: the difference.
    parameter int unsigned KIND = 0
) (
    input wire mode_e mode_i,
    input wire [256:0] c_i,
    input wire carry_i,
    input wire [Width-1:0] rows_i[2],
    input wire short_t short_i,
    output logic [Width-1:0] chosen_o
);
  localparam int unsigned Count = KIND == 0 ? 2 : 3;
  localparam int unsigned Rows = KIND == 0 ? 4 : 5;
  localparam logic [Width-1:0] Ell = Width'(L), Prime = Width'(P);
  // c - x = c + ~x0 + ~x1 + ~x2 + 3
  localparam logic [Width-1:0] Bias = KIND == 2 ? Width'(3) : '0;

  logic raw, scalar;
  logic [Width-1:0] last, from[3], sums[Count];
  logic [Count:0] negative;

  assign raw = mode_i == ModeLow || mode_i == ModeHigh;
  assign scalar = mode_i == ModeScalar;
  assign last = widen(short_i) | Width'(carry_i);
  if (KIND == 2) begin : gen_back
    assign from = '{(raw ? '0 : scalar ? Ell : Prime + Prime) + Bias, (scalar ? '0 : Prime) + Bias, (scalar ? -Ell : '0) + Bias};
  end else begin : gen_on
    assign from = '{scalar ? Ell : '0, scalar ? '0 : -Prime, scalar ? -Ell : -(Prime + Prime)};
  end

  for (genvar k = 0; k < Count; k++) begin : gen_sum
    logic [Width-1:0] rows[Rows], two[2];
    if (KIND == 0) begin : gen_product
      assign rows = '{rows_i[0], rows_i[1], from[k], last};
    end else if (KIND == 1) begin : gen_plus
      assign rows = '{Width'(c_i), rows_i[0], rows_i[1], from[k], last};
    end else begin : gen_minus
      assign rows = '{Width'(c_i), ~rows_i[0], ~rows_i[1], from[k], ~last};
    end
    mul25519_compress #(
        .IN(Rows),
        .OUT(2),
        .WIDTH(Width)
    ) u_compress (
        .rows_i(rows),
        .rows_o(two)
    );
    assign sums[k] = two[0] + two[1];
    assign negative[k] = k == 0 ? 1'b0 : raw | sums[k][Width-1];
  end
  assign negative[Count] = 1'b1;

  always_comb begin
    chosen_o = '0;
    for (int unsigned k = 0; k < Count; k++) chosen_o |= {Width{negative[k+1] & ~negative[k]}} & sums[k];
  end

  if (KIND == 0) begin : gen_unused
    logic unused_c;
    assign unused_c = ^{c_i, from[2]};
  end
endmodule

`default_nettype wire
