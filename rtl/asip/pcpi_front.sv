// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The unit's CV-X-IF on PCPI, the interface of picorv32. That processor has one instruction under
// way and drops none, so each is committed as it is issued. An instruction that writes no register
// is done for the processor when the unit takes it; one that writes is done with its result.
module pcpi_front
  import asip_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire [31:0] instruction_i,
    input wire [31:0] rs1_i,
    input wire [31:0] rs2_i,
    output logic wait_o,  // the instruction is one of the unit's
    output logic ready_o,  // it is done
    output logic write_o,
    output logic [31:0] data_o,
    output issue_t issue_o,
    input wire issue_answer_t answer_i,
    output commit_t commit_o,
    input wire result_t result_i,
    output logic result_ready_o
);
  logic takes, taken_q;
  assign issue_o = '{valid: valid_i && !taken_q, instruction: instruction_i, id: '0, rs1: rs1_i, rs2: rs2_i};
  assign commit_o = '{valid: 1'b1, kill: 1'b0, id: '0};
  assign result_ready_o = 1'b1;
  assign takes = issue_o.valid && answer_i.accept && answer_i.ready;
  assign wait_o = valid_i && answer_i.accept;
  assign write_o = answer_i.writeback;
  assign data_o = result_i.data;
  // The result of an instruction before it writes nothing.
  assign ready_o = answer_i.writeback ? taken_q && result_i.valid && result_i.write : takes;
  always_ff @(posedge clk_i) taken_q <= rst_ni && valid_i && !ready_o && (taken_q || takes);

  /* verilator lint_off UNUSEDSIGNAL */  // there is one instruction, whose register is known
  logic unused;
  assign unused = &{1'b0, result_i.id, result_i.rd};
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
