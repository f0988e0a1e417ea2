// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// All about each tag but its state: phase, output that is left, hash chain.
`default_nettype none

module sha3_tags
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    // A command for the slot at one of the places.
    input wire [3:0] load_i,
    input wire chain_i,  // OpChain for the slot that passed the entry a cycle ago
    input wire cmd_t cmd_i,
    output logic [3:0] idle_o,
    // The slot that passes the entry in the next cycle.
    input wire comes_i,  // a block enters
    input wire free_i,  // no permutation runs in it by then
    // The slot that passes it.
    output logic enters_o,  // the block enters
    input wire end_e ending_i,  // which ends so
    output step_t step_o,  // a step of its chain begins
    output logic begins_o,  // a permutation begins
    output logic keeps_o,  // its state stays
    input wire ends_i,  // its permutation ends
    // The slot that passed it a cycle ago.
    output logic gives_o,  // has output
    input wire given_i,  // which is taken
    output logic last_o,  // the last of it
    output logic [7:0] bytes_o,  // so many bytes
    output logic squeezes_o  // a permutation begins, for more of it
);

  logic more, entry_more;
  logic [2:0] lanes;
  sha3_turns u_turns (
      .clk_i,
      .wipe_i,
      .load_i,
      .op_i        (cmd_i.op),
      .idle_o,
      .enters_i    (comes_i),
      .free_i,
      .more_i      (more),
      .lanes_i     (lanes),
      .enters_o,
      .steps_o     (step_o.lanes),
      .begins_o,
      .keeps_o,
      .ending_i,
      .ends_i,
      .entry_more_i(entry_more),
      .gives_o,
      .given_i,
      .last_i      (last_o),
      .squeezes_o
  );
  sha3_left u_left (
      .clk_i,
      .wipe_i,
      .load_i,
      .op_i    (cmd_i.op),
      .rate_i  (cmd_i.rate),
      .lanes_i (cmd_i.lanes),
      .length_i(cmd_i.length),
      .rate_o  (step_o.rate),
      .bytes_o,
      .last_o,
      .give_i  (given_i)
  );
  sha3_walk u_walk (
      .clk_i,
      .wipe_i,
      .load_i      (chain_i),
      .lanes_i     (cmd_i.lanes),
      .steps_i     (cmd_i.steps),
      .counter_i   (cmd_i.counter),
      .tweak_i     (cmd_i.data[223:0]),
      .next_more_o (more),
      .next_lanes_o(lanes),
      .step_i      (step_o.lanes != '0),
      .more_o      (entry_more),
      .counter_o   (step_o.counter),
      .tweak_o     (step_o.tweak)
  );
  wire unused = &{cmd_i.tag, cmd_i.suffix, cmd_i.data[255:224]};

endmodule

`default_nettype wire
