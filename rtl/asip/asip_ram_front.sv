// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The one port of a RAM of words of BITS bits, shared by the processor's data and the unit. Where
// both want it in every cycle they take turns: cv32e40x repeats the request of a load in EX as long
// as WB waits for the unit. Addresses from 0x8000_0000 on are the host's, not the RAM's.
module asip_ram_front
  import asip_pkg::*;
#(
    parameter  int unsigned BITS  = 64,
    localparam int unsigned Place = $clog2(BITS / 32)
) (
    input wire clk_i,
    input wire data_i,
    input wire data_write_i,
    input wire [31:0] data_address_i,
    input wire [3:0] data_enable_i,
    input wire [31:0] data_written_i,
    output logic data_ready_o,
    output logic [31:0] data_read_o,
    input wire request_t unit_i,
    output logic unit_ready_o,
    output request_t ram_o,
    input wire ram_ready_i,
    input wire [BITS-1:0] ram_read_i,
    output logic host_o,
    input wire [31:0] host_read_i
);
  request_t data;
  assign data.valid   = data_i && !data_address_i[31];
  assign data.write   = data_write_i;
  assign data.address = data_address_i;
  always_comb begin
    data.enable = '0;
    data.enable[4*data_address_i[2+:Place]+:4] = data_enable_i;
  end
  assign data.data = {4{data_written_i}};
  logic turn_q, unit_goes;  // it is the unit's turn
  assign unit_goes = unit_i.valid && (turn_q || !data.valid);
  assign ram_o = unit_goes ? unit_i : data;
  assign unit_ready_o = unit_goes && ram_ready_i;
  assign data_ready_o = host_o || (!unit_goes && ram_ready_i);
  always_ff @(posedge clk_i) turn_q <= unit_i.valid && !unit_ready_o;
  assign host_o = data_i && data_address_i[31];

  // Where the last word was.
  logic [Place-1:0] place_q;
  logic host_q;
  always_ff @(posedge clk_i) {place_q, host_q} <= {data_address_i[2+:Place], host_o};
  assign data_read_o = host_q ? host_read_i : ram_read_i[32*place_q+:32];
endmodule

`default_nettype wire
