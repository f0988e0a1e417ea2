// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The small processor, picorv32 with RV32IMC, beside the memories of `asip` and with its ports. It
// has one port for instructions and data, and takes two cycles for an access: one that a memory
// grants, and the one after it, which has the word. Loads and stores lie at multiples of their
// size. It has no unit, no interrupts and no debugger.
module asip_small #(
    parameter int unsigned BOOT   = 32'h0010_0000,
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
  logic valid, fetches, asks, granted, granted_q;
  logic [31:0] address, written, read;
  logic [3:0] enable;
  assign asks = valid && !granted_q;
  assign code_o = asks && fetches;
  assign host_o = asks && !fetches && address[31];
  assign ram_o = asks && !fetches && !address[31];
  assign granted = host_o || (code_o && (STALLS == 0 || code_ready_i)) || (ram_o && (STALLS == 0 || ram_ready_i));
  always_ff @(posedge clk_i) granted_q <= rst_ni && granted;

  assign code_address_o = address;
  assign ram_address_o = address;
  assign host_address_o = address;
  assign ram_write_o = enable != '0;
  assign host_write_o = ram_write_o;
  assign ram_enable_o = address[2] ? {enable, 4'd0} : {4'd0, enable};
  assign ram_written_o = {2{written}};
  assign host_written_o = written;
  always_comb begin
    read = address[2] ? ram_read_i[63:32] : ram_read_i[31:0];
    if (address[31]) read = host_read_i;
    if (fetches) read = code_i;
  end

  /* verilator lint_off PINCONNECTEMPTY */  // no unit, no interrupts, no trace
  picorv32 #(
      .ENABLE_COUNTERS64(1'b0),
      .COMPRESSED_ISA(1'b1),
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
      .mem_rdata(read),
      .mem_la_read(),
      .mem_la_write(),
      .mem_la_addr(),
      .mem_la_wdata(),
      .mem_la_wstrb(),
      .pcpi_valid(),
      .pcpi_insn(),
      .pcpi_rs1(),
      .pcpi_rs2(),
      .pcpi_wr(1'b0),
      .pcpi_rd('0),
      .pcpi_wait(1'b0),
      .pcpi_ready(1'b0),
      .irq('0),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule

`default_nettype wire
