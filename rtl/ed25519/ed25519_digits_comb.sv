// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Scalar register of the signed comb (fixed base).
//
// `recode_i` makes the scalar odd by adding L and turns it into 256 signed bits: bit i set is plus
// 2^i, clear is minus 2^i. Tooth t of the digit of table q is signed bit `Rows * (Tables * t + q)`
// and up, one per row.
`default_nettype none

module ed25519_digits_comb
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire load_i,
    input wire [255:0] value_i,
    input wire recode_i,
    input wire shift_i,
    input wire table_i,
    output logic [7:0] entry_o,
    output logic negative_o
);
  logic [255:0] scalar_q, odd;
  logic [CombTeeth-1:0] teeth;

  assign odd = scalar_q + (scalar_q[0] ? '0 : 256'(mul25519_pkg::L));
  logic unused_bit;
  assign unused_bit = odd[0];

  for (genvar t = 0; t < CombTeeth; t++) begin : gen_tooth
    localparam int unsigned Low = CombRows * (CombTables * t + 1) - 1;
    assign teeth[t] = table_i ? scalar_q[Low+CombRows] : scalar_q[Low];
  end
  assign negative_o = !teeth[CombTeeth-1];
  assign entry_o = {table_i, teeth[CombTeeth-2:0] ^ {(CombTeeth - 1) {negative_o}}};

  always_ff @(posedge clk_i) begin
    if (load_i) scalar_q <= value_i;
    else if (recode_i) scalar_q <= {1'b1, odd[255:1]};
    else if (shift_i) scalar_q <= {scalar_q[254:0], 1'b0};
  end
endmodule

`default_nettype wire
