// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The small processor, picorv32 with RV32IMC, alone (STAGE = 0) or with a unit for hash chains of
// one lane or two, beside the memories of `asip` and with its ports. It has one port for
// instructions and data, and takes two cycles for an access: one that a memory grants, and the one
// after it, which has the word. Loads and stores lie at multiples of their size. It has no
// interrupts and no debugger.
module asip_small
  import asip_pkg::*;
#(
    parameter int unsigned BOOT   = 32'h0010_0000,
    parameter int unsigned STAGE  = 0,
    parameter int unsigned LANES  = 1,
    parameter int unsigned UNROLL = 1,
    parameter int unsigned STALLS = 0
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
    output logic [7:0] ram_enable_o,
    output logic [63:0] ram_written_o,
    input wire [63:0] ram_read_i,
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
  if (!(LANES inside {1, 2})) begin : g_bad_lanes
    $error("LANES is 1 or 2");
  end

  logic valid, fetches, asks, granted, granted_q, data_ready;
  logic [31:0] address, written, data_read;
  logic [3:0] enable;
  assign asks = valid && !granted_q;
  assign code_o = asks && fetches;
  assign granted = asks && (fetches ? STALLS == 0 || code_ready_i : data_ready);
  always_ff @(posedge clk_i) granted_q <= rst_ni && granted;
  assign code_address_o = address;
  assign {host_write_o, host_address_o, host_written_o} = {enable != '0, address, written};

  request_t unit, ram;
  logic unit_ready;
  asip_ram_front u_front (
      .clk_i,
      .data_i(asks && !fetches),
      .data_write_i(enable != '0),
      .data_address_i(address),
      .data_enable_i(enable),
      .data_written_i(written),
      .data_ready_o(data_ready),
      .data_read_o(data_read),
      .unit_i(unit),
      .unit_ready_o(unit_ready),
      .ram_o(ram),
      .ram_ready_i(STALLS == 0 || ram_ready_i),
      .ram_read_i,
      .host_o,
      .host_read_i
  );
  assign {ram_o, ram_write_o, ram_address_o} = {ram.valid, ram.write, ram.address};
  assign {ram_enable_o, ram_written_o} = {ram.enable[7:0], ram.data[63:0]};

  logic pcpi, pcpi_wait, pcpi_ready, pcpi_write;
  logic [31:0] instruction, rs1, rs2, result;
  /* verilator lint_off PINCONNECTEMPTY */  // no interrupts, no trace
  picorv32 #(
      .ENABLE_COUNTERS64(1'b0),
      .COMPRESSED_ISA(1'b1),
      .ENABLE_PCPI(STAGE != 0),
      .ENABLE_MUL(1'b1),
      .ENABLE_DIV(1'b1),
      .BARREL_SHIFTER(1'b1),
      .PROGADDR_RESET(BOOT)
  ) u_core (
      .clk(clk_i),
      .resetn(rst_ni),
      .trap(),
      .mem_valid(valid),
      .mem_instr(fetches),
      .mem_ready(granted_q),
      .mem_addr(address),
      .mem_wdata(written),
      .mem_wstrb(enable),
      .mem_rdata(fetches ? code_i : data_read),
      .mem_la_read(),
      .mem_la_write(),
      .mem_la_addr(),
      .mem_la_wdata(),
      .mem_la_wstrb(),
      .pcpi_valid(pcpi),
      .pcpi_insn(instruction),
      .pcpi_rs1(rs1),
      .pcpi_rs2(rs2),
      .pcpi_wr(pcpi_write),
      .pcpi_rd(result),
      .pcpi_wait,
      .pcpi_ready,
      .irq('0),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  if (STAGE == 0) begin : gen_none
    assign unit = '0;
    assign {pcpi_wait, pcpi_ready, pcpi_write, result} = '0;
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    assign unused = &{1'b0, pcpi, instruction, rs1, rs2, unit_ready};
    /* verilator lint_on UNUSEDSIGNAL */
  end else begin : gen_unit
    issue_t issue;
    /* verilator lint_off UNOPTFLAT */  // no field depends on itself
    issue_answer_t answer;
    /* verilator lint_on UNOPTFLAT */
    commit_t commit;
    result_t of_unit;
    logic of_unit_ready;
    pcpi_front u_pcpi (
        .clk_i,
        .rst_ni,
        .valid_i(pcpi),
        .instruction_i(instruction),
        .rs1_i(rs1),
        .rs2_i(rs2),
        .wait_o(pcpi_wait),
        .ready_o(pcpi_ready),
        .write_o(pcpi_write),
        .data_o(result),
        .issue_o(issue),
        .answer_i(answer),
        .commit_o(commit),
        .result_i(of_unit),
        .result_ready_o(of_unit_ready)
    );
    chain_unit #(
        .STAGE (STAGE),
        .LANES (LANES),
        .UNROLL(UNROLL),
        .PORT  (64)
    ) u_unit (
        .clk_i,
        .rst_ni,
        .issue_i(issue),
        .answer_o(answer),
        .commit_i(commit),
        .result_o(of_unit),
        .result_ready_i(of_unit_ready),
        .port_o(unit),
        .port_ready_i(unit_ready),
        .port_read_i(ram_read_i)
    );
  end
endmodule

`default_nettype wire
