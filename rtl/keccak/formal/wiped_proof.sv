// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A whole SHA-3 unit that forgets: once it has wiped itself, every register is the same whatever it
// held, be it of control or of data, so nothing of it is left. `flow/wiped.ys` makes two copies of
// this module whose registers hold anything, wipes both, and compares them. `wipes_proof` shows
// when a unit wipes itself, for how long, and what the counter of these cycles holds.
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
    output logic wiped_by_o
);

  sha3_unit #(
      .INNER(INNER)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i,
      .cmd_ready_o(),
      .cmd_i,
      .in_valid_i,
      .in_ready_o (),
      .in_i,
      .out_valid_o(),
      .out_ready_i,
      .out_o      ()
  );
  assign wiped_by_o = u_unit.wipe;
endmodule

`default_nettype wire
