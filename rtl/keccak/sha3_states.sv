// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The states of the four tags, and what is added to them: blocks of messages and steps of chains.
`default_nettype none

module sha3_states
  import sha3_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 2,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire wipe_i,
    // The slot that passes the entry.
    input wire step_t step_i,
    input wire [7:0] suffix_i,  // of its tag
    input wire [255:0] prefix_i,
    input wire enters_i,  // the block enters
    input wire [1599:0] block_i,
    input wire begins_i,  // a permutation begins
    input wire keeps_i,  // its state stays
    output logic ends_o,  // its permutation ends
    // The slot that passed it a cycle ago.
    output logic [1599:0] state_o,
    input wire squeezes_i,  // a permutation begins
    // The slot that passes it in the next cycle.
    output logic free_o  // no permutation runs in it by then
);

  logic [1599:0] step;
  logic [ 255:0] value;
  sha3_step u_step (
      .step_i,
      .suffix_i,
      .prefix_i,
      .value_i(value),
      .block_o(step)
  );
  sha3_loop #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG)
  ) u_loop (
      .clk_i,
      .rst_ni        (!wipe_i),
      .end_o         (ends_o),
      .value_o       (value),
      .begin_i       (begins_i),
      .keep_i        (keeps_i),
      .add_i         ((block_i & {1600{enters_i}}) | step),
      .state_o       (state_o),
      .begin_passed_i(squeezes_i),
      .free_o        (free_o)
  );

endmodule

`default_nettype wire
