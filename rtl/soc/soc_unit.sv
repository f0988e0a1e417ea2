// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The port of the ROM's own memory of 4 KiB, and the unit for hash chains that shares it (STAGE 1
// generic, 2 refined, 0 none). The unit has wires to this memory alone. Once the system is locked
// it has no instructions, no accesses, and is held in reset.
module soc_unit
  import asip_pkg::*;
#(
    parameter int unsigned STAGE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire locked_i,
    input wire issue_t issue_i,
    output issue_answer_t answer_o,
    input wire commit_t commit_i,
    output result_t result_o,
    input wire result_ready_i,
    // Data of the processor.
    input wire soc_pkg::request_t data_i,
    output logic data_ready_o,
    output logic [31:0] data_read_o,
    // The memory.
    output logic scratch_o,
    output logic scratch_write_o,
    output logic [11:0] scratch_address_o,
    output logic [7:0] scratch_enable_o,
    output logic [63:0] scratch_data_o,
    input wire [63:0] scratch_i
);
  if (STAGE > 2) begin : g_bad_stage
    $error("STAGE is 0, 1 or 2");
  end

  request_t asks, unit, memory;
  logic unit_ready, host;
  asip_ram_front u_front (
      .clk_i,
      .data_i        (data_i.valid),
      .data_write_i  (data_i.write),
      .data_address_i({20'd0, data_i.address[11:0]}),
      .data_enable_i (data_i.enable),
      .data_written_i(data_i.data),
      .data_ready_o,
      .data_read_o,
      .unit_i        (unit),
      .unit_ready_o  (unit_ready),
      .ram_o         (memory),
      .ram_ready_i   (1'b1),
      .ram_read_i    (scratch_i),
      .host_o        (host),
      .host_read_i   ('0)
  );
  assign {scratch_o, scratch_write_o, scratch_address_o} = {memory.valid, memory.write, memory.address[11:3], 3'd0};
  assign {scratch_enable_o, scratch_data_o} = {memory.enable[7:0], memory.data[63:0]};

  always_comb begin
    unit = asks;
    unit.valid = asks.valid && !locked_i;
  end
  if (STAGE == 0) begin : g_no_unit
    assign asks = '0;
    assign answer_o = '{ready: 1'b1, default: '0};
    assign result_o = '0;
    wire unused = &{rst_ni, issue_i, commit_i, result_ready_i, unit_ready};
  end else begin : g_unit
    issue_t issue;
    /* verilator lint_off UNOPTFLAT */  // no field depends on itself
    issue_answer_t answer;
    /* verilator lint_on UNOPTFLAT */
    always_comb begin
      issue = issue_i;
      issue.valid = issue_i.valid && !locked_i;
      answer_o = answer;
      if (locked_i) answer_o = '{ready: 1'b1, default: '0};
    end
    chain_unit #(
        .STAGE(STAGE)
    ) u_unit (
        .clk_i,
        .rst_ni      (rst_ni && !locked_i),
        .issue_i     (issue),
        .answer_o    (answer),
        .commit_i,
        .result_o,
        .result_ready_i,
        .port_o      (asks),
        .port_ready_i(unit_ready && !locked_i),
        .port_read_i (scratch_i)
    );
  end
  wire unused_bits = &{host, data_i.address[31:12], memory.address[31:12], memory.address[2:0], memory.enable[15:8], memory.data[127:64]};
endmodule

`default_nettype wire
