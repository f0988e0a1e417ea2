// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A level of mul25519_compress keeps the sum of its rows modulo 2^WIDTH, for all rows: one adder of
// three rows or, with FOUR, of four. Rows that are no adder's pass through, and a level's adders
// have no bit in common, so any number of levels keeps the sum of any number of rows.
`default_nettype none

module compress_proof #(
    parameter bit FOUR = 1'b0,
    parameter int unsigned WIDTH = 259,
    localparam int unsigned In = FOUR ? 4 : 3
) (
    input wire [WIDTH-1:0] rows_i[In],
    output logic differs_o
);
  logic [WIDTH-1:0] ours[2], theirs;
  mul25519_compress #(
      .IN(In),
      .OUT(2),
      .WIDTH(WIDTH),
      .FOUR(FOUR)
  ) u_compress (
      .rows_i,
      .rows_o(ours)
  );

  always_comb begin
    theirs = '0;
    for (int i = 0; i < In; i++) theirs += rows_i[i];
  end
  assign differs_o = ours[0] + ours[1] != theirs;
endmodule

`default_nettype wire
