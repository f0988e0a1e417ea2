// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The output stream of one operation. Keygen: A. Sign: R, S. Verify: nothing.
`default_nettype none

module ed25519_output
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire op_e op_i,
    // Values that can go out: the point, which is A or R, and the scalar.
    input wire [255:0] point_i,
    input wire point_valid_i,
    input wire [255:0] scalar_i,
    input wire scalar_valid_i,
    output logic valid_o,
    input wire ready_i,
    output logic [63:0] data_o,
    output logic last_o,
    output logic done_o
);
  logic [  3:0] index_q;
  logic [255:0] part;
  logic keygen, second;

  assign keygen = op_i == OpKeygen;
  assign second = index_q[2];
  assign done_o = op_i == OpVerify || index_q == (keygen ? 4'd4 : 4'd8);
  assign last_o = index_q == (keygen ? 4'd3 : 4'd7);
  assign part = second ? scalar_i : point_i;
  assign valid_o = !done_o && (second ? scalar_valid_i && !keygen : point_valid_i);
  assign data_o = part[64*index_q[1:0]+:64];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) index_q <= '0;
    else if (start_i) index_q <= '0;
    else if (valid_o && ready_i) index_q <= index_q + 4'd1;
  end
endmodule

`default_nettype wire
