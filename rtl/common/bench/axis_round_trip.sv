// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The stream adaptors one behind another: what goes in comes out.
`default_nettype none

module axis_round_trip #(
    parameter int unsigned BITS  = 32,
    parameter int unsigned WORDS = 5
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    output logic ready_o,
    input wire [BITS-1:0] data_i,
    input wire last_i,
    output logic valid_o,
    input wire ready_i,
    output logic [BITS-1:0] data_o,
    output logic last_o
);

  localparam int unsigned CountBits = $clog2(WORDS + 1);
  logic in_valid, in_ready, in_last, wide_valid, wide_ready, wide_last;
  logic [BITS-1:0] in_data;
  logic [WORDS-1:0][BITS-1:0] wide;
  logic [CountBits-1:0] count;

  axis_slice #(
      .BITS(BITS + 1)
  ) u_slice (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o,
      .data_i ({last_i, data_i}),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o ({in_last, in_data})
  );

  axis_widen #(
      .BITS (BITS),
      .WORDS(WORDS)
  ) u_widen (
      .clk_i,
      .rst_ni,
      .valid_i(in_valid),
      .ready_o(in_ready),
      .data_i (in_data),
      .last_i (in_last),
      .valid_o(wide_valid),
      .ready_i(wide_ready),
      .data_o (wide),
      .count_o(count),
      .last_o (wide_last)
  );

  axis_narrow #(
      .BITS (BITS),
      .WORDS(WORDS)
  ) u_narrow (
      .clk_i,
      .rst_ni,
      .valid_i(wide_valid),
      .ready_o(wide_ready),
      .data_i (wide),
      .count_i(count),
      .last_i (wide_last),
      .valid_o,
      .ready_i,
      .data_o,
      .last_o
  );

endmodule

`default_nettype wire
