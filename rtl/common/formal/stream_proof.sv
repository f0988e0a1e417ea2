// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Both parts that stand in a stream hand on every beat once and in order.
`default_nettype none

module stream_proof (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire [3:0] data_i,
    input wire ready_i,
    input wire mark_i,
    output logic differs_o
);
  logic [1:0] differs;
  stream_followed #(
      .SLICE(1)
  ) u_slice (
      .differs_o(differs[0]),
      .*
  );
  stream_followed #(
      .SLICE(0)
  ) u_register (
      .differs_o(differs[1]),
      .*
  );
  assign differs_o = differs != '0;
endmodule

`default_nettype wire
