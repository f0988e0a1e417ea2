// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// How long the SHA-3 unit wipes itself: zeros enter the loop and all that goes round with it, and
// need so many cycles to go round.
`default_nettype none

module sha3_wipe (
    input  wire  clk_i,
    input  wire  start_i,
    output logic wipe_o    // from the cycle after it
);

  localparam logic [3:0] WipeCycles = 4'd11;
  logic [3:0] left_q;
  always_ff @(posedge clk_i) begin
    if (start_i) left_q <= WipeCycles;
    else if (wipe_o) left_q <= left_q - 4'd1;
    wipe_o <= start_i || left_q > 4'd1;
  end

endmodule

`default_nettype wire
