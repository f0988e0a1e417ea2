// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Some digits of Booth's method: `b` in digits from -2 to 2 of two bits each, and a multiple of `a`
// for every digit, half as many rows as bits, added down to two.
//
// Bit 2 of the rows is where the multiple for digit 0 begins. A negative multiple is the complement
// of the positive one; the 1 that is missing stands in the row of the next digit, two bits below
// it. Its sign, of weight -2^258 in the multiple, is written complemented at bit 258, with a 1 at
// bit 259: each multiple is 3 * 2^258 too much, and all together 2^258 (4^DIGITS - 1). So the sum
// is never negative and fits the width, and no carry is lost.
`default_nettype none

module mul25519_multiples #(
    parameter  int unsigned DIGITS = 16,
    localparam int unsigned Width  = 2 * DIGITS + 261
) (
    input wire [256:0] a_i,
    // The digit before digit 0 is in bits 2 to 0. Neighbours share a bit.
    input wire [2*DIGITS+2:0] b_i,
    output logic [Width-1:0] rows_o[2]
);
  logic [DIGITS:0] negative;
  logic [Width-1:0] rows[DIGITS];

  for (genvar k = 0; k <= DIGITS; k++) begin : gen_sign
    assign negative[k] = b_i[2*k+2] && !(b_i[2*k] && b_i[2*k+1]);
  end
  for (genvar k = 0; k < DIGITS; k++) begin : gen_digit
    logic low, middle, high, one, two;
    logic [257:0] multiple;
    assign {high, middle, low} = b_i[2*k+2+:3];
    assign one = low ^ middle;
    assign two = low == middle && low != high;
    assign multiple = (({258{one}} & {1'b0, a_i}) | ({258{two}} & {a_i, 1'b0})) ^ {258{negative[k+1]}};
    assign rows[k] = Width'({1'b1, ~negative[k+1], multiple, 1'b0, negative[k]}) << (2 * k);
  end

  mul25519_compress #(
      .IN(DIGITS),
      .OUT(2),
      .WIDTH(Width),
      .FOUR(1'b1)
  ) u_compress (
      .rows_i(rows),
      .rows_o
  );
endmodule

`default_nettype wire
