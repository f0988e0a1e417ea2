// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Commands and answers of the engine: an answer stays as it is until it is taken, no command is
// taken while one is in work or waits to be answered, nor while a table is erased, and each that is
// taken is answered once.
//
// The engine promises: nothing is wiped but in StWipe. An answer that is shown would else turn bad.
`default_nettype none

module answer_proof
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    input wire command_t cmd_i,
    input wire rsp_ready_i,
    input wire stream_ended_i,
    input wire stream_error_i,
    input wire item_valid_i,
    input wire [1:0] item_i,
    input wire block_valid_i,
    input wire block_first_i,
    input wire block_last_i,
    input wire side_there_i,
    input wire raw_done_i,
    input wire wiping_i,
    input wire erasing_i,
    input wire out_done_i,
    input wire work_done_i,
    input wire tree_done_i,
    output logic differs_o
);
  logic ready, valid;
  status_e status;
  logic [31:0] cycles;
  answer_t answer;
  logic wipes;
  assign wipes = 5'(u_control.u_sequencer.state_q) == 5'd0;  // StWipe
  logic [7:0] verdict;
  assign {status, verdict, cycles} = answer;
  xmss_control u_control (
      .clk_i,
      .rst_ni,
      .cmd_valid_i,
      .cmd_ready_o(ready),
      .cmd_i,
      .cmd_o(),
      .rsp_valid_o(valid),
      .rsp_ready_i,
      .rsp_o(answer),
      .stream_i('{ended: stream_ended_i, error: stream_error_i}),
      .item_valid_i,
      .item_ready_o(),
      .item_i('{number: item_i, value: '0}),
      .block_valid_i,
      .block_ready_o(),
      .block_i('{first: block_first_i, last: block_last_i, words: '0}),
      .hash_o(),
      .raw_o(),
      .done_i(raw_done_i),
      .hash_i('0),
      .side_o(),
      .side_there_i,
      .root_i('0),
      .kept_o(),
      .starts_o(),
      .chains_o(),
      .phase_o(),
      .scope_o(),
      .values_o(),
      .sends_o(),
      .stop_o(),
      .wiping_i(wiping_i && wipes),
      .erase_o(),
      .erasing_i,
      .work_done_i,
      .tree_done_i,
      .out_done_i
  );

  // One command is due from where it is taken to where its answer is. The wiping after a reset is
  // no command.
  logic due_q, waits_q;
  status_e status_q;
  logic [7:0] verdict_q;
  logic [31:0] cycles_q;
  always_ff @(posedge clk_i) begin
    due_q <= rst_ni && ((cmd_valid_i && ready) || (due_q && !(valid && rsp_ready_i)));
    waits_q <= rst_ni && valid && !rsp_ready_i;
    {status_q, verdict_q, cycles_q} <= {status, verdict, cycles};
  end
  logic wiping_first;
  assign wiping_first = wipes && 5'(u_control.u_sequencer.after_wipe_q) == 5'd1;  // StIdle follows
  logic starts_busy;  // a command starts beside another one
  assign starts_busy = u_control.u_command.taken_q && 5'(u_control.u_sequencer.state_q) != 5'd1;  // StIdle
  logic free;  // for a command, but for a table that is erased
  assign free = 5'(u_control.u_sequencer.state_q) == 5'd1 && !u_control.u_command.taken_q;
  assign differs_o = starts_busy || (due_q ? free || wiping_first : !free && !wiping_first) || ready != (free && !erasing_i) || (waits_q && (!valid || {status, verdict, cycles} != {status_q, verdict_q, cycles_q}));
endmodule

`default_nettype wire
