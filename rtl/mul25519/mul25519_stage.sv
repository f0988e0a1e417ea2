// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A pipeline register for `Rows` rows, or wires.
`default_nettype none

module mul25519_stage #(
    parameter bit REGISTER = 1'b1,
    parameter int unsigned ROWS = 2,
    parameter int unsigned WIDTH = 8
) (
    input wire clk_i,
    input wire [WIDTH-1:0] rows_i[ROWS],
    output logic [WIDTH-1:0] rows_o[ROWS]
);
  if (REGISTER) begin : gen_register
    always_ff @(posedge clk_i) rows_o <= rows_i;
  end else begin : gen_wires
    logic unused_clk;
    assign unused_clk = clk_i;
    assign rows_o = rows_i;
  end
endmodule

`default_nettype wire
