// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Sends bytes: a start bit, eight bits, the lowest first, a stop bit, each DIVIDER clocks long.
module soc_uart #(
    parameter int unsigned DIVIDER = 8
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    output logic ready_o,
    input wire [7:0] byte_i,
    output logic tx_o
);
  localparam int unsigned Bits = $clog2(DIVIDER);
  logic [9:0] shift_q;
  logic [3:0] left_q;
  logic [Bits-1:0] clocks_q;
  assign ready_o = left_q == '0;
  assign tx_o = ready_o || shift_q[0];

  always_ff @(posedge clk_i) begin
    clocks_q <= ready_o ? '0 : clocks_q + 1'b1;
    if (!rst_ni) left_q <= '0;
    else if (ready_o) begin
      if (valid_i) left_q <= 4'd10;
      shift_q <= {1'b1, byte_i, 1'b0};
    end else if (clocks_q == Bits'(DIVIDER - 1)) begin
      clocks_q <= '0;
      left_q   <= left_q - 4'd1;
      shift_q  <= {1'b1, shift_q[9:1]};
    end
  end
endmodule

`default_nettype wire
