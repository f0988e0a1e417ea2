// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The terms of mul25519_fold in mode Field, before they are added, are 19 times what a row holds
// from bit 255 up and what it holds below, less what `tops` counts: for each row, and all of them.
// With 2^255 = 19 (mod p) the terms and 19 tops are congruent to the rows. With WRAPS the rows hold
// 2^513 too much where bit 511 is 1 in one of them alone, and bits 511 and 512 of both count for
// nothing: 38 is off the tops.
`default_nettype none

module fold_proof
  import mul25519_pkg::*;
#(
    parameter bit WRAPS = 1'b0,
    localparam int unsigned Wide = 265
) (
    input wire [512:0] rows_i[2],
    output logic differs_o
);
  logic [Width-1:0] sums[4];
  logic [6:0] tops;
  mul25519_fold #(
      .WRAPS(WRAPS)
  ) u_fold (
      .mode_i(ModeField),
      .rows_i,
      .scalar_i('0),
      .rows_o(sums),
      .tops_o(tops)
  );

  logic [1:0] wrong;
  logic [1:0][6:0] over;
  for (genvar i = 0; i < 2; i++) begin : gen_row
    logic [Wide-1:0] high, low, ours, theirs;
    assign high = Wide'(rows_i[i][510:255]);
    assign low  = Wide'(rows_i[i][254:0]);
    assign over[i] = 7'(high[255:251]) + 7'(high[255:254]);
    assign ours = Wide'(u_fold.terms[i]) + Wide'(u_fold.terms[2+i]) + Wide'(u_fold.terms[4+i]) + Wide'(u_fold.terms[6+i]) + (Wide'(over[i]) << 255);
    assign theirs = low + (high << 4) + (high << 1) + high;
    assign wrong[i] = ours != theirs;
  end
  assign differs_o = |wrong || tops != over[0] + over[1] - (WRAPS && (rows_i[0][511] ^ rows_i[1][511]) ? 7'd38 : 7'd0);

  logic unused;
  assign unused = ^{sums[0], sums[1], sums[2], sums[3]};
endmodule

`default_nettype wire
