// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Brings instructions and data of the processor to ROM, RAM and devices, and data to the ROM's own
// memory. ROM and RAM have one port each, and data comes first. An access to nothing reads zero,
// which is no instruction.
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
    output request_t scratch_o,
    input wire scratch_ready_i,
    input wire [31:0] scratch_i,
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

  logic fetch_rom, fetch_ram;
  assign fetch_rom = fetch_i && fetch_at == AtRom && !locked_i;
  assign fetch_ram = fetch_i && fetch_at == AtRam && open_i;
  assign fetches_ram_o = fetch_ram && !data_ram;

  // ROM.
  assign rom_o = data_rom || fetch_rom;
  assign rom_address_o = {data_rom ? data_i.address[12:2] : fetch_address_i[12:2], 2'b00};

  // RAM, the ROM's memory, devices.
  always_comb begin
    ram_o = data_i;
    ram_o.valid = data_ram || fetch_ram;
    ram_o.write = data_ram && data_i.write;
    ram_o.address = {16'd0, data_ram ? data_i.address[15:0] : fetch_address_i[15:0]};
    scratch_o = data_i;
    scratch_o.valid = data_scratch;
    devices_o = data_i;
    devices_o.valid = data_devices;
  end

  assign fetch_ready_o = !((fetch_rom && data_rom) || (fetch_ram && data_ram));
  assign data_ready_o  = (!data_devices || devices_ready_i) && (!data_scratch || scratch_ready_i);

  // Where the last accesses went.
  logic fetched_rom_q, fetched_ram_q, read_rom_q, read_ram_q, read_scratch_q, read_devices_q;
  always_ff @(posedge clk_i) begin
    fetched_rom_q <= fetch_rom;
    fetched_ram_q <= fetch_ram;
    read_rom_q <= data_rom;
    read_ram_q <= data_ram;
    read_scratch_q <= data_scratch;
    read_devices_q <= data_devices;
  end
  assign fetched_o = fetched_rom_q ? rom_i : fetched_ram_q ? ram_i : '0;
  always_comb begin
    data_read_o = '0;
    if (read_rom_q) data_read_o = rom_i;
    if (read_ram_q) data_read_o = ram_i;
    if (read_scratch_q) data_read_o = scratch_i;
    if (read_devices_q) data_read_o = devices_read_i;
  end
endmodule

`default_nettype wire
