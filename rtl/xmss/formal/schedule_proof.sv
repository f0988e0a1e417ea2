// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The message schedule of SHA-256 in reset, where `fetch_i` is set: after 16 cycles no word is left
// of those it held, whatever comes meanwhile (`flow/wiped.ys`).
`default_nettype none

module schedule_proof #(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire [UNROLL-1:0][31:0] begin_i,
    input wire [UNROLL-1:0][31:0] next_i,
    output logic wiped_by_o
);
  assign wiped_by_o = 1'b1;
  sha256_schedule #(
      .UNROLL(UNROLL)
  ) u_schedule (
      .clk_i,
      .fetch_i(1'b1),
      .begin_i,
      .next_i,
      .words_o(),
      .known_o()
  );
endmodule

`default_nettype wire
