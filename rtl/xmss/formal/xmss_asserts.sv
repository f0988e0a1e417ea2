// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The modules of the engine keep their promises to each other, which the heads of the modules and
// of the proofs say. The benches fail where one is broken.
`default_nettype none

// Digits are made when no chain is left of those before, and a value comes of a chain that is under
// way or is its first one (`board_proof`).
module board_asserts
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire clear_i,
    input wire start_i,
    input wire came_i,
    input wire slot_t came_slot_i,
    input wire finished_i,
    input wire slot_t finished_slot_i,
    input wire chain_taken_i,
    input wire chain_valid_o,
    input wire slot_t len_i,
    input wire [Len-1:0] there_q,
    input wire [Len-1:0] todo_q
);
  a_start :
  assert property (@(posedge clk_i) disable iff (!rst_ni) start_i && !clear_i |-> todo_q == '0)
  else $error("digits while chains are left");
  a_came :
  assert property (@(posedge clk_i) disable iff (!rst_ni) came_i && came_slot_i < slot_t'(Len) && !clear_i |-> came_slot_i < len_i && !there_q[came_slot_i])
  else $error("a value of a chain that waits");
  a_finished :
  assert property (@(posedge clk_i) disable iff (!rst_ni) finished_i && finished_slot_i < len_i && !clear_i |-> !todo_q[finished_slot_i])
  else $error("the end of a chain that has steps");
  a_taken :
  assert property (@(posedge clk_i) disable iff (!rst_ni) chain_taken_i |-> $past(chain_valid_o))
  else $error("a chain that was not offered");
endmodule
bind xmss_board board_asserts u_asserts (.*);

// Output starts when nothing is left to send (`output_proof`), and a word stays until it is taken.
module output_asserts #(
    parameter int unsigned Bits = 7
) (
    input wire clk_i,
    input wire rst_ni,
    input wire stop_i,
    input wire sign_i,
    input wire leaf_i,
    input wire done_o,
    input wire valid_o,
    input wire ready_i,
    input wire last_o,
    input wire [Bits-1:0] slot_out_o,
    input wire [63:0] word_i
);
  a_start :
  assert property (@(posedge clk_i) disable iff (!rst_ni) sign_i || leaf_i |-> done_o)
  else $error("output while some is left");
  a_stays :
  assert property (@(posedge clk_i) disable iff (!rst_ni) valid_o && !ready_i && !stop_i |=> valid_o && $stable(
      {last_o, slot_out_o, word_i}
  ))
  else $error("a word that was not taken");
endmodule
bind xmss_output output_asserts #(
    .Bits(Bits)
) u_asserts (
    .word_i(value_q[63:0]),
    .*
);

// No job is taken while a value, key or mask is written, and no row in the cycle before; nothing is
// written while a table is erased.
module data_asserts
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire wiping_o,
    input wire erasing_o,
    input wire hold_o,
    input wire job_i,
    input wire row_valid_i,
    input wire item_valid_i,
    input wire kept_t kept_i,
    input wire result_t stored_q
);
  a_job :
  assert property (@(posedge clk_i) disable iff (!rst_ni || wiping_o) job_i |-> !hold_o)
  else $error("a job while a word is written");
  a_row :
  assert property (@(posedge clk_i) disable iff (!rst_ni || wiping_o) row_valid_i |-> !stored_q.valid)
  else $error("a row while a word is written");
  a_kept :
  assert property (@(posedge clk_i) disable iff (!rst_ni || wiping_o) kept_i.valid |-> !stored_q.valid && !item_valid_i)
  else $error("two values at a time");
  a_erased :
  assert property (@(posedge clk_i) disable iff (!rst_ni || wiping_o) erasing_o |-> !stored_q.valid && !item_valid_i && !kept_i.valid && !job_i)
  else $error("a word is written while all are erased");
endmodule
bind xmss_data data_asserts u_asserts (.*);

// The length of the message stays until the next command starts, which the one before has ended
// (`length_proof`).
module input_asserts
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire ended_o,
    input wire length_t length_i,
    input wire text_t text_o
);
  a_start :
  assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> ended_o)
  else $error("a command while the stream of another one is open");
  a_length :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !ended_o || text_o.begins |-> $stable(length_i))
  else $error("the length changes under way");
endmodule
bind xmss_input input_asserts u_asserts (.*);

// A message begins when the one before has left its padding behind (`length_proof`).
module blocks_asserts (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire full_q,
    input wire [1:0] state_q
);
  a_start :
  assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> state_q == 2'd0 && !full_q)
  else $error("a message within another one");
endmodule
bind xmss_blocks blocks_asserts u_asserts (
    .state_q(2'(state_q)),
    .*
);

// Nothing is wiped while a command is in work, but by CmdClear (`answer_proof`).
module sequencer_asserts (
    input wire clk_i,
    input wire rst_ni,
    input wire wiping_i,
    input wire [4:0] state_q
);
  a_wiping :
  assert property (@(posedge clk_i) disable iff (!rst_ni) wiping_i |-> state_q == 5'd0)  // StWipe
  else $error("memories are wiped beside a command");
endmodule
bind xmss_sequencer sequencer_asserts u_asserts (
    .state_q(5'(state_q)),
    .*
);

`default_nettype wire
