// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The gate between ROM and RAM. Nothing in the RAM is an instruction until two registers hold the
// words of a good image, and each can be written once. From the first instruction in the RAM on the
// ROM, its memory, the fuses and the verifier are gone, until the next reset.
module soc_gate
  import soc_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire write_i,
    input wire [1:0] register_i,  // first, second, state
    input wire [31:0] data_i,
    input wire fetches_i,  // an instruction in the RAM is asked for
    output logic open_o,
    output logic locked_o,
    output logic [31:0] state_o
);
  logic [31:0] first_q, second_q, state_q;
  logic first_written_q, second_written_q, locked_q;
  logic first, second;
  assign first = write_i && register_i == 2'd0 && !first_written_q;
  assign second = write_i && register_i == 2'd1 && !second_written_q;
  assign open_o = first_q == OpenFirst && second_q == OpenSecond;
  assign locked_o = locked_q;
  assign state_o = state_q;

  always_ff @(posedge clk_i) begin
    first_written_q <= rst_ni && (first || first_written_q);
    second_written_q <= rst_ni && (second || second_written_q);
    locked_q <= rst_ni && ((open_o && fetches_i) || locked_q);
    if (!rst_ni) first_q <= '0;
    else if (first) first_q <= data_i;
    if (!rst_ni) second_q <= '0;
    else if (second) second_q <= data_i;
    if (!rst_ni) state_q <= '0;
    else if (write_i && register_i == 2'd2) state_q <= data_i;
  end
endmodule

`default_nettype wire
