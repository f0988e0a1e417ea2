// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The two rows of the fold added up, less 0 to 7 times the modulus: eight carry-propagate adders side by side.
// The first also takes the carry that a product in mode Low left for the same product in mode High.
`default_nettype none

module mul25519_multiples
  import mul25519_pkg::*;
#(
    localparam int unsigned Width = 260
) (
    input wire mode_e mode_i,
    input wire carry_i,
    input wire [Width-1:0] rows_i[2],
    output logic [Width-1:0] sums_o[8]
);
  assign sums_o[0] = rows_i[0] + rows_i[1] + Width'(carry_i && mode_i == ModeHigh);

  for (genvar j = 1; j < 8; j++) begin : gen_multiple
    localparam logic [Width-1:0] LessP = -(Width'(j) * Width'(P));
    localparam logic [Width-1:0] LessL = -(Width'(j) * Width'(L));
    logic [Width-1:0] less, sum;
    logic [Width-2:0] carry;
    assign less = mode_i == ModeScalar ? LessL : LessP;
    assign sum = rows_i[0] ^ rows_i[1] ^ less;
    assign carry = (Width - 1)'((rows_i[0] & rows_i[1]) | (less & (rows_i[0] ^ rows_i[1])));
    assign sums_o[j] = sum + {carry, 1'b0};
  end
endmodule
