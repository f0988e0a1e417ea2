// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The unit's side of CV-X-IF. An instruction of opcode custom-0 waits here until the processor
// commits it; it is then offered as an order, and its result is kept until WB takes it. An order
// that is not taken holds the processor. No instruction may be killed in ID once it is issued: the
// processor has no interrupts.
//
// cv32e40x forgets that an instruction writes a register where it is accepted while EX is held. So
// one that does is not accepted while WB waits for an instruction before it.
module chain_unit_front
  import asip_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire [7:0] known_i,  // which values of funct3 the unit has
    input wire issue_t issue_i,
    output issue_answer_t answer_o,
    input wire commit_t commit_i,
    output result_t result_o,
    input wire result_ready_i,
    output logic order_valid_o,
    output order_t order_o,
    input wire order_ready_i,
    input wire [31:0] data_i  // with `order_ready_i`: the value for rd
);
  localparam logic [6:0] Opcode = 7'h0b;  // custom-0

  function automatic logic writes(which_e which);
    return which == Wait || which == Get;
  endfunction

  order_t order_q;
  logic valid_q, committed_q;
  logic [3:0] id_q;
  logic [4:0] rd_q;
  result_t result_q;

  logic commits, killed, goes, taken, held;
  which_e which;
  assign which = which_e'(issue_i.instruction[14:12]);
  assign commits = commit_i.valid && commit_i.id == id_q;
  assign killed = valid_q && !committed_q && commits && commit_i.kill;
  assign order_valid_o = valid_q && (committed_q || (commits && !commit_i.kill)) && (!result_q.valid || result_ready_i);
  assign goes = order_valid_o && order_ready_i;
  assign answer_o.accept = issue_i.instruction[6:0] == Opcode && known_i[which];
  assign answer_o.writeback = writes(which);
  assign held = valid_q || (result_q.valid && !result_ready_i);
  assign answer_o.ready = !answer_o.accept || (writes(which) ? !held : !valid_q || goes || killed);
  assign taken = issue_i.valid && answer_o.accept && answer_o.ready;
  assign order_o = order_q;
  assign result_o = result_q;

  always_ff @(posedge clk_i) begin
    if (taken) begin
      order_q <= '{which: which, variant: issue_i.instruction[31:25], rs1: issue_i.rs1, rs2: issue_i.rs2};
      id_q <= issue_i.id;
      rd_q <= issue_i.instruction[11:7];
    end
    if (goes) begin
      result_q.write <= writes(order_q.which);
      result_q.id <= id_q;
      result_q.rd <= rd_q;
      result_q.data <= data_i;
    end
    if (!rst_ni) begin
      {valid_q, committed_q, result_q.valid} <= '0;
    end else begin
      valid_q <= taken || (valid_q && !goes && !killed);
      committed_q <= valid_q && !goes && (committed_q || (commits && !commit_i.kill));
      result_q.valid <= goes || (result_q.valid && !result_ready_i);
    end
  end
endmodule

`default_nettype wire
