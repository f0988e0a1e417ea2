// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The small processor with its memories, of which nothing but the host is outside (`whole.toml`).
module asip_small_whole #(
    parameter int unsigned STAGE  = 0,
    parameter int unsigned LANES  = 1,
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    output logic host_o,
    output logic host_write_o,
    output logic [31:0] host_address_o,
    output logic [31:0] host_written_o,
    input wire [31:0] host_read_i
);
  logic code, ram, ram_write;
  logic [31:0] code_address, instruction, ram_address;
  logic [ 7:0] ram_enable;
  logic [63:0] ram_written, ram_read;
  asip_small #(
      .STAGE (STAGE),
      .LANES (LANES),
      .UNROLL(UNROLL)
  ) u_asip (
      .clk_i,
      .rst_ni,
      .code_o(code),
      .code_address_o(code_address),
      .code_i(instruction),
      .code_ready_i(1'b1),
      .ram_o(ram),
      .ram_write_o(ram_write),
      .ram_address_o(ram_address),
      .ram_enable_o(ram_enable),
      .ram_written_o(ram_written),
      .ram_read_i(ram_read),
      .ram_ready_i(1'b1),
      .host_o,
      .host_write_o,
      .host_address_o,
      .host_written_o,
      .host_read_i
  );
  asip_memories u_memories (
      .clk_i,
      .code_i(code),
      .code_address_i(code_address),
      .code_o(instruction),
      .ram_i(ram),
      .ram_write_i(ram_write),
      .ram_address_i(ram_address),
      .ram_enable_i(ram_enable),
      .ram_written_i(ram_written),
      .ram_read_o(ram_read)
  );
endmodule

`default_nettype wire
