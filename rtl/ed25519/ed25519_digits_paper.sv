// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Scalar register and digits of the paper's configuration: unsigned windows of two bits, most
// significant first.
`default_nettype none

module ed25519_digits_paper (
    input wire clk_i,
    input wire load_i,
    input wire [255:0] value_i,
    input wire shift_i,
    output logic zero_o,
    output logic [2:0] table_entry_o,
    output logic table_none_o,
    output logic [7:0] rom_entry_o
);
  logic [255:0] scalar_q;
  logic [  1:0] digit;

  assign digit = scalar_q[255:254];
  assign zero_o = digit == '0;
  assign table_none_o = zero_o;
  assign table_entry_o = 3'(digit - 2'd1);
  assign rom_entry_o = 8'(digit);

  always_ff @(posedge clk_i) begin
    if (load_i) scalar_q <= value_i;
    else if (shift_i) scalar_q <= {scalar_q[253:0], 2'b00};
  end
endmodule

`default_nettype wire
