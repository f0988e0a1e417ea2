// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The second half of the fast reduction: the top bits of the two rows are added by themselves and
// tell the multiple of the modulus to take off, which leaves at most one more. Two rows and a short
// one come out, x in all:
//
// Field: with t = (sum of both rows' bits from 251 up) + 16 tops and h = t >> 4, x = (bits below
// 251 of both) + (t mod 16) 2^251 + 19 h, which is below 2^255 + 2^251 + 19 * 42 < 2 p. With WRAPS
// t may be -1: then h is, too, and x is congruent and in range with t mod 16 = 15 as for any other
// t. Scalar: the rows have no bit in common (a product with 1 in two rows), so both bits from 252
// up together are h = floor(v / 2^252), and x = v - h L, or v - (h + 1) L for a negative one: in
// (-L, L), see scalar.rs. Low, High: the rows as they are.
`default_nettype none

module mul25519_estimate
  import mul25519_pkg::*;
#(
    parameter bit WRAPS = 1'b0
) (
    input wire mode_e mode_i,
    input wire [Width-1:0] rows_i[2],
    input wire [6:0] tops_i,
    output logic [Width-1:0] rows_o[2],
    output short_t short_o
);
  localparam logic [Width-1:0] TwoTo252 = Width'(1) << 252;
  localparam logic [Width-1:0] Delta = Width'(L) - TwoTo252;

  logic minus;
  logic [10:0] top;
  logic [9:0] times19;
  logic [4:0] quotient;
  short_t taken;

  assign top = 11'(rows_i[0][258:251]) + 11'(rows_i[1][258:251]) + {tops_i, 4'b0};
  assign minus = WRAPS && top[10];
  assign times19 = 10'(top[9:4]) + 10'({top[9:4], 1'b0}) + 10'({top[9:4], 4'b0});
  assign quotient = rows_i[0][256:252] | rows_i[1][256:252];

  // The rest of the multiples of L when their multiples of 2^252 are gone with the top bits.
  always_comb begin
    taken = '0;
    for (int unsigned h = 0; h < 16; h++) taken |= quotient == 5'(h) ? shorten(-(Width'(h) * Delta)) : '0;
    for (int unsigned h = 0; h < 16; h++) taken |= quotient == 5'(h + 16) ? shorten((Width'(15 - h) * Delta) - TwoTo252) : '0;
  end

  always_comb begin
    unique case (mode_i)
      ModeField: begin
        rows_o  = '{Width'(rows_i[0][250:0]), Width'(rows_i[1][250:0])};
        short_o = minus ? '{top: 8'd14, middle: 1'b1, low: -132'd19} : '{top: {4'b0, top[3:0]}, middle: 1'b0, low: 132'(times19)};
      end
      ModeScalar: begin
        rows_o  = '{Width'(rows_i[0][251:0]), Width'(rows_i[1][251:0])};
        short_o = taken;
      end
      default: begin
        rows_o  = rows_i;
        short_o = '0;
      end
    endcase
  end
endmodule

`default_nettype wire
