// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The clock gate that cv32e40x expects of its user: here the clock is never stopped.
module cv32e40x_clock_gate #(
    parameter int unsigned LIB = 0
) (
    input  wire  clk_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the clock runs always
    input  wire  en_i,
    input  wire  scan_cg_en_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic clk_o
);
  if (LIB != 0) begin : g_bad_lib
    $error("LIB is 0");
  end
  assign clk_o = clk_i;
endmodule

`default_nettype wire
