// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The system with the registers in which its memories and its flash answer: the bench gives words
// in the cycle that asks for them. So no input has a way to an output, and a cycle is evaluated
// once.
module soc_machine
  import soc_pkg::*;
#(
    parameter int unsigned VERIFIER = 1,
    parameter int unsigned STAGE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    output logic rom_o,
    output logic [12:0] rom_address_o,
    input wire [31:0] rom_i,
    output logic ram_o,
    output logic ram_write_o,
    output logic [15:0] ram_address_o,
    output logic [3:0] ram_enable_o,
    output logic [31:0] ram_data_o,
    input wire [31:0] ram_i,
    output logic scratch_o,
    output logic scratch_write_o,
    output logic [11:0] scratch_address_o,
    output logic [7:0] scratch_enable_o,
    output logic [63:0] scratch_data_o,
    input wire [63:0] scratch_i,
    input wire fuses_t fuses_i,
    output logic flash_cs_no,
    output logic flash_sck_o,
    output logic [3:0] flash_io_o,
    input wire [3:0] flash_io_i,
    output logic uart_tx_o,
    output logic open_o,
    output logic starts_o,
    output logic [31:0] state_o
);
  logic [31:0] rom, ram;
  logic [63:0] scratch;
  logic [3:0] flash_io;
  fuses_t fuses;
  always_ff @(posedge clk_i) begin
    {rom, ram, scratch, flash_io, fuses} <= {rom_i, ram_i, scratch_i, flash_io_i, fuses_i};
  end

  soc #(
      .VERIFIER(VERIFIER),
      .STAGE   (STAGE)
  ) u_soc (
      .rom_i     (rom),
      .ram_i     (ram),
      .scratch_i (scratch),
      .flash_io_i(flash_io),
      .fuses_i   (fuses),
      .*
  );
endmodule

`default_nettype wire
