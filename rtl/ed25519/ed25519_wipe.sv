// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// How long a lane wipes itself: zeros take the place of its factors and go through the multiplier
// to its registers, and through the schedules of its hash units, which are sixteen words long.
`default_nettype none

module ed25519_wipe #(
    parameter int unsigned CYCLES = 19
) (
    input  wire  clk_i,
    input  wire  start_i,
    output logic wipe_o    // from the cycle after it
);
  localparam int unsigned Bits = $clog2(CYCLES + 1);

  logic [Bits-1:0] left_q;
  always_ff @(posedge clk_i) begin
    if (start_i) left_q <= Bits'(CYCLES);
    else if (wipe_o) left_q <= left_q - 1'b1;
    wipe_o <= start_i || left_q > 1;
  end
endmodule

`default_nettype wire
