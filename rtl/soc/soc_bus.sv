// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Brings instructions and data of the processor to ROM, RAM and devices. ROM and RAM have one port
// each, and data comes first. The RAM's port has the ROM's own 4 KiB behind the RAM's 64 KiB. An
// access to nothing reads zero, which is no instruction.
module soc_bus
  import soc_pkg::*;
(
    input wire clk_i,
    input wire open_i,
    input wire locked_i,
    input wire fetch_i,
    input wire [31:0] fetch_address_i,
    output logic fetch_ready_o,
    output logic [31:0] fetched_o,
    input wire request_t data_i,
    output logic data_ready_o,
    output logic [31:0] data_read_o,
    output logic rom_o,
    output logic [12:0] rom_address_o,
    input wire [31:0] rom_i,
    output request_t ram_o,
    input wire [31:0] ram_i,
    output logic fetches_ram_o,
    output request_t devices_o,
    input wire devices_ready_i,
    input wire [31:0] devices_read_i
);
  logic [15:0] fetch_at, data_at;
  assign fetch_at = fetch_address_i[31:16];
  assign data_at  = data_i.address[31:16];

  logic data_rom, data_ram, data_scratch, data_devices;
  assign data_rom = data_i.valid && data_at == AtRom && !locked_i;
  assign data_ram = data_i.valid && data_at == AtRam;
  assign data_scratch = data_i.valid && data_at == AtScratch && !locked_i;
  assign data_devices = data_i.valid && data_at == AtDevices;

  logic fetch_rom, fetch_ram, uses_ram;
  assign uses_ram = data_ram || data_scratch;
  assign fetch_rom = fetch_i && fetch_at == AtRom && !locked_i;
  assign fetch_ram = fetch_i && fetch_at == AtRam && open_i;
  assign fetches_ram_o = fetch_ram && !uses_ram;

  // ROM.
  assign rom_o = data_rom || fetch_rom;
  assign rom_address_o = {data_rom ? data_i.address[12:2] : fetch_address_i[12:2], 2'b00};

  // RAM.
  always_comb begin
    ram_o = data_i;
    ram_o.valid = uses_ram || fetch_ram;
    ram_o.write = uses_ram && data_i.write;
    ram_o.address = {15'd0, data_scratch, data_i.address[15:0]};
    if (data_scratch) ram_o.address[15:12] = '0;
    if (!uses_ram) ram_o.address = {16'd0, fetch_address_i[15:0]};
    devices_o = data_i;
    devices_o.valid = data_devices;
  end

  assign fetch_ready_o = !((fetch_rom && data_rom) || (fetch_ram && uses_ram));
  assign data_ready_o  = !data_devices || devices_ready_i;

  // Where the last accesses went.
  logic fetched_rom_q, fetched_ram_q, read_rom_q, read_ram_q, read_devices_q;
  always_ff @(posedge clk_i) begin
    fetched_rom_q <= fetch_rom;
    fetched_ram_q <= fetch_ram;
    read_rom_q <= data_rom;
    read_ram_q <= uses_ram;
    read_devices_q <= data_devices;
  end
  assign fetched_o   = fetched_rom_q ? rom_i : fetched_ram_q ? ram_i : '0;
  assign data_read_o = read_rom_q ? rom_i : read_ram_q ? ram_i : read_devices_q ? devices_read_i : '0;
endmodule

`default_nettype wire
