// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The processor, alone (STAGE = 0) or with a unit for hash chains (STAGE = 1 or 2). Its memories
// are outside: code of 32-bit words from BOOT on, and a RAM from address 0 on, of 64-bit words, or
// with four lanes of 128-bit words. In the cycle after an address both give the word; code behind
// its first FAST bytes does so a cycle later (`asip_code_front`). A host takes what is written from
// 0x8000_0000 on. With STALLS = 1 a memory takes an address only in a cycle in which it is ready.
module asip
  import asip_pkg::*;
#(
    parameter int unsigned BOOT   = 32'h0010_0000,
    parameter int unsigned STAGE  = 0,
    parameter int unsigned LANES  = 1,
    parameter int unsigned UNROLL = 1,
    parameter int unsigned SHAKE  = 0,
    parameter int unsigned BITS   = 0,
    parameter int unsigned STALLS = 0,
    parameter int unsigned RAM    = LANES == 4 ? 128 : 64,
    parameter int unsigned FAST   = LANES == 4 ? 65536 : 0
) (
    input wire clk_i,
    input wire rst_ni,
    output logic code_o,
    output logic [31:0] code_address_o,
    input wire [31:0] code_i,
    input wire code_ready_i,
    output logic ram_o,
    output logic ram_write_o,
    output logic [31:0] ram_address_o,
    output logic [RAM/8-1:0] ram_enable_o,
    output logic [RAM-1:0] ram_written_o,
    input wire [RAM-1:0] ram_read_i,
    input wire ram_ready_i,
    output logic host_o,
    output logic host_write_o,
    output logic [31:0] host_address_o,
    output logic [31:0] host_written_o,
    input wire [31:0] host_read_i
);
  if (!(STAGE inside {0, 1, 2})) begin : g_bad_stage
    $error("STAGE is 0, 1 or 2");
  end
  if (!(RAM inside {64, 128})) begin : g_bad_ram
    $error("RAM is 64 or 128");
  end

  logic fetch, code_ready, fetched, ram_ready;
  asip_code_front #(
      .FAST(FAST)
  ) u_code (
      .clk_i,
      .rst_ni,
      .fetch_i(fetch),
      .address_i(code_address_o),
      .ready_o(code_ready),
      .answered_o(fetched),
      .code_o,
      .code_ready_i(STALLS == 0 || code_ready_i)
  );
  assign ram_ready = STALLS == 0 || ram_ready_i;

  logic data, data_write, data_ready;
  logic [31:0] data_address, data_written, data_read;
  logic [3:0] data_enable;
  issue_t issue;
  /* verilator lint_off UNOPTFLAT */  // no field depends on itself
  issue_answer_t answer;
  /* verilator lint_on UNOPTFLAT */
  commit_t commit;
  result_t result;
  logic result_ready;
  processor #(
      .BOOT(BOOT),
      .BITS(BITS),
      .LATE(1)
  ) u_processor (
      .clk_i,
      .rst_ni,
      .fetch_o(fetch),
      .fetch_address_o(code_address_o),
      .fetch_ready_i(code_ready),
      .fetched_valid_i(fetched),
      .fetched_i(code_i),
      .data_o(data),
      .data_write_o(data_write),
      .data_address_o(data_address),
      .data_enable_o(data_enable),
      .data_written_o(data_written),
      .data_ready_i(data_ready),
      .data_read_i(data_read),
      .issue_o(issue),
      .issue_answer_i(answer),
      .commit_o(commit),
      .result_i(result),
      .result_ready_o(result_ready)
  );

  request_t unit, ram;
  logic unit_ready;
  asip_ram_front #(
      .BITS(RAM)
  ) u_front (
      .clk_i,
      .data_i(data),
      .data_write_i(data_write),
      .data_address_i(data_address),
      .data_enable_i(data_enable),
      .data_written_i(data_written),
      .data_ready_o(data_ready),
      .data_read_o(data_read),
      .unit_i(unit),
      .unit_ready_o(unit_ready),
      .ram_o(ram),
      .ram_ready_i(ram_ready),
      .ram_read_i,
      .host_o,
      .host_read_i
  );
  assign {ram_o, ram_write_o, ram_address_o} = {ram.valid, ram.write, ram.address};
  assign {ram_enable_o, ram_written_o} = {ram.enable[RAM/8-1:0], ram.data[RAM-1:0]};
  assign {host_write_o, host_address_o, host_written_o} = {data_write, data_address, data_written};

  if (STAGE == 0) begin : gen_none
    assign unit   = '0;
    assign answer = '{ready: 1'b1, default: '0};
    assign result = '0;
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    assign unused = &{1'b0, issue, commit, result_ready, unit_ready};
    /* verilator lint_on UNUSEDSIGNAL */
  end else begin : gen_unit
    chain_unit #(
        .STAGE (STAGE),
        .LANES (LANES),
        .UNROLL(UNROLL),
        .SHAKE (SHAKE),
        .PORT  (RAM)
    ) u_unit (
        .clk_i,
        .rst_ni,
        .issue_i(issue),
        .answer_o(answer),
        .commit_i(commit),
        .result_o(result),
        .result_ready_i(result_ready),
        .port_o(unit),
        .port_ready_i(unit_ready),
        .port_read_i(ram_read_i)
    );
  end
endmodule

`default_nettype wire
