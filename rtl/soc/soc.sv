// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A system that boots what is signed: a RISC-V processor, the verifier of signatures
// (VERIFIER = 1, with XMSS 2) or the unit for hash chains (STAGE = 1 or 2), a flash over four
// wires, a serial port, fuses, and the gate in front of the RAM. ROM, RAM and the ROM's own memory
// (`scratch`) are outside, and give what is read in the next cycle.
module soc
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
    output logic open_o,  // the gate in front of the RAM is open
    output logic starts_o,  // an instruction in the RAM is asked for
    output logic [31:0] state_o  // what the ROM says of itself
);
  logic fetch, fetch_ready, data_ready, devices_ready, locked;
  logic [31:0] fetch_address, fetched, data_read, devices_read, scratch_read;
  request_t data, ram, devices, scratch;

  asip_pkg::issue_t issue;
  /* verilator lint_off UNOPTFLAT */  // no field depends on itself
  asip_pkg::issue_answer_t answer;
  /* verilator lint_on UNOPTFLAT */
  asip_pkg::commit_t commit;
  asip_pkg::result_t result;
  logic result_ready, scratch_ready;
  processor #(
      .BOOT(32'd0)
  ) u_processor (
      .clk_i,
      .rst_ni,
      .fetch_o        (fetch),
      .fetch_address_o(fetch_address),
      .fetch_ready_i  (fetch_ready),
      .fetched_valid_i(1'b0),
      .fetched_i      (fetched),
      .data_o         (data.valid),
      .data_write_o   (data.write),
      .data_address_o (data.address),
      .data_enable_o  (data.enable),
      .data_written_o (data.data),
      .data_ready_i   (data_ready),
      .data_read_i    (data_read),
      .issue_o        (issue),
      .issue_answer_i (answer),
      .commit_o       (commit),
      .result_i       (result),
      .result_ready_o (result_ready)
  );

  soc_bus u_bus (
      .clk_i,
      .open_i         (open_o),
      .locked_i       (locked),
      .fetch_i        (fetch),
      .fetch_address_i(fetch_address),
      .fetch_ready_o  (fetch_ready),
      .fetched_o      (fetched),
      .data_i         (data),
      .data_ready_o   (data_ready),
      .data_read_o    (data_read),
      .rom_o,
      .rom_address_o,
      .rom_i,
      .ram_o          (ram),
      .ram_i,
      .scratch_o      (scratch),
      .scratch_ready_i(scratch_ready),
      .scratch_i      (scratch_read),
      .fetches_ram_o  (starts_o),
      .devices_o      (devices),
      .devices_ready_i(devices_ready),
      .devices_read_i (devices_read)
  );
  assign {ram_o, ram_write_o, ram_enable_o, ram_data_o} = {ram.valid, ram.write, ram.enable, ram.data};
  assign ram_address_o = ram.address[15:0];

  soc_unit #(
      .STAGE(STAGE)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .locked_i      (locked),
      .issue_i       (issue),
      .answer_o      (answer),
      .commit_i      (commit),
      .result_o      (result),
      .result_ready_i(result_ready),
      .data_i        (scratch),
      .data_ready_o  (scratch_ready),
      .data_read_o   (scratch_read),
      .scratch_o,
      .scratch_write_o,
      .scratch_address_o,
      .scratch_enable_o,
      .scratch_data_o,
      .scratch_i
  );

  soc_devices #(
      .VERIFIER(VERIFIER)
  ) u_devices (
      .clk_i,
      .rst_ni,
      .request_i(devices),
      .ready_o  (devices_ready),
      .read_o   (devices_read),
      .fuses_i,
      .fetches_i(starts_o),
      .open_o,
      .locked_o (locked),
      .state_o,
      .tx_o     (uart_tx_o),
      .flash_cs_no,
      .flash_sck_o,
      .flash_io_o,
      .flash_io_i
  );
  wire unused = &ram.address[31:16];
endmodule

`default_nettype wire
