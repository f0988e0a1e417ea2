// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A part of the carry-save tree: rows of a whole product.
`default_nettype none

module mul25519_tree #(
    parameter int unsigned IN = 3,
    parameter int unsigned OUT = 2,
    parameter bit FOUR = 1'b0
) (
    input  wire  [512:0] rows_i[ IN],
    output logic [512:0] rows_o[OUT]
);
  mul25519_compress #(
      .IN(IN),
      .OUT(OUT),
      .WIDTH(513),
      .FOUR(FOUR)
  ) u_compress (
      .rows_i,
      .rows_o
  );
endmodule

`default_nettype wire
