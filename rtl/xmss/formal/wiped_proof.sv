// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A whole engine that forgets: after reset, `zeroize_i` or CmdClear every register is the same
// whatever it held, so none of it is left. `flow/wiped.ys` makes two copies of this module whose
// registers hold anything, and compares them.
//
// The memories are one word each (`xmss_store.sv` beside this file). The words of the message
// schedule move on until none is left of those before (`schedule_proof.sv`).
`default_nettype none

module wiped_proof
  import xmss_pkg::*;
#(
    parameter int unsigned CORES  = 1,
    parameter int unsigned UNROLL = 1,
    parameter bit          SHAKE  = 0,
    parameter bit          NARROW = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    input wire [3:0] cmd_op_i,
    input wire cmd_check_i,
    input wire cmd_table_i,
    input wire cmd_idle_i,
    input wire [1:0] cmd_mode_i,
    input wire cmd_octets_i,
    input wire cmd_narrow_i,
    input wire [4:0] cmd_height_i,
    input wire [31:0] cmd_index_i,
    input wire length_t cmd_length_i,
    input wire in_valid_i,
    input wire [63:0] in_data_i,
    input wire in_last_i,
    input wire out_ready_i,
    input wire rsp_ready_i,
    output logic wiped_by_o  // in this cycle
);
  logic cmd_ready;
  // CmdClear begins, which commands do in StIdle only (`answer_proof`).
  logic clears;
  assign clears = u_engine.u_data.wipe_i && 5'(u_engine.u_control.u_sequencer.state_q) == 5'd1;
  assign wiped_by_o = !rst_ni || zeroize_i || clears;

  xmss_engine #(
      .CORES (CORES),
      .UNROLL(UNROLL),
      .SHAKE (SHAKE),
      .NARROW(NARROW)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i,
      .cmd_ready_o (cmd_ready),
      .cmd_op_i,
      .cmd_check_i,
      .cmd_table_i,
      .cmd_idle_i,
      .cmd_mode_i,
      .cmd_octets_i,
      .cmd_narrow_i,
      .cmd_height_i,
      .cmd_index_i,
      .cmd_length_i,
      .in_valid_i,
      .in_ready_o  (),
      .in_data_i,
      .in_last_i,
      .out_valid_o (),
      .out_ready_i,
      .out_data_o  (),
      .out_slot_o  (),
      .out_last_o  (),
      .rsp_valid_o (),
      .rsp_ready_i,
      .rsp_status_o(),
      .rsp_verdict_o(),
      .rsp_cycles_o()
  );
endmodule

`default_nettype wire
