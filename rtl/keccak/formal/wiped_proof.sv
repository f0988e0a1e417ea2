// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The control of a SHA-3 unit that forgets: after reset, `zeroize_i` or OpClear its registers are
// the same whatever they held, so none of it is left. `flow/wiped.ys` makes two copies of this
// module whose registers hold anything, and compares them. This module has no output for data, so
// registers that hold nothing else are removed and not compared.
`default_nettype none

module wiped_proof
  import sha3_pkg::*;
#(
    parameter int unsigned INNER = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    input wire beat_t in_i,
    input wire out_ready_i,
    output logic wiped_by_o  // in this cycle
);

  logic cmd_ready;
  assign wiped_by_o = !rst_ni || zeroize_i || (cmd_valid_i && cmd_ready && cmd_i.op == OpClear);

  sha3_unit #(
      .INNER(INNER)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i,
      .cmd_ready_o(cmd_ready),
      .cmd_i,
      .in_valid_i,
      .in_ready_o (),
      .in_i,
      .out_valid_o(),
      .out_ready_i,
      .out_o      ()
  );
endmodule

`default_nettype wire
