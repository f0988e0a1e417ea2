// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-3 unit: four messages at once, one per tag. Each tag has a slot of its own in the loop, where
// its state goes round, so that a message which waits for input, or whose output waits to be taken,
// holds up nobody else.
`default_nettype none

module sha3_unit
  import sha3_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 2,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,  // forgets everything, as OpClear and a reset do
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire beat_t in_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output out_t out_o
);

  logic wipe, clear;
  tag_t tag_q;  // whose slot passes the entry
  always_ff @(posedge clk_i) tag_q <= wipe ? 2'd0 : tag_q - 2'd1;
  sha3_wipe u_wipe (
      .clk_i,
      .start_i(!rst_ni || zeroize_i || clear),
      .wipe_o (wipe)
  );

  logic chain;
  logic [3:0] idle, load, opens;
  logic [255:0] prefix;
  sha3_commands u_commands (
      .clk_i,
      .wipe_i  (wipe),
      .valid_i (cmd_valid_i),
      .ready_o (cmd_ready_o),
      .op_i    (cmd_i.op),
      .tag_i   (cmd_i.tag),
      .data_i  (cmd_i.data),
      .entry_i (tag_q),
      .idle_i  (idle),
      .clear_o (clear),
      .load_o  (load),
      .chain_o (chain),
      .opens_o (opens),
      .prefix_o(prefix)
  );

  logic comes, free, enters;
  logic [7:0] suffix;
  end_e ending;
  logic [1599:0] block;
  sha3_message u_message (
      .clk_i,
      .wipe_i  (wipe),
      .opens_i (opens),
      .op_i    (cmd_i.op),
      .rate_i  (cmd_i.rate),
      .lanes_i (cmd_i.lanes),
      .suffix_i(cmd_i.suffix),
      .in_valid_i,
      .in_ready_o,
      .in_i,
      .tag_i   (tag_q),
      .suffix_o(suffix),
      .free_i  (free),
      .comes_o (comes),
      .enters_i(enters),
      .ending_o(ending),
      .block_o (block)
  );

  logic begins, keeps, ends, gives, given, last, squeezes;
  logic [7:0] bytes;
  step_t step;
  sha3_tags u_tags (
      .clk_i,
      .wipe_i    (wipe),
      .load_i    (load),
      .chain_i   (chain),
      .cmd_i,
      .idle_o    (idle),
      .comes_i   (comes),
      .free_i    (free),
      .enters_o  (enters),
      .ending_i  (ending),
      .step_o    (step),
      .begins_o  (begins),
      .keeps_o   (keeps),
      .ends_i    (ends),
      .gives_o   (gives),
      .given_i   (given),
      .last_o    (last),
      .bytes_o   (bytes),
      .squeezes_o(squeezes)
  );

  logic [1599:0] state;
  sha3_states #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG)
  ) u_states (
      .clk_i,
      .wipe_i    (wipe),
      .step_i    (step),
      .suffix_i  (suffix),
      .prefix_i  (prefix),
      .enters_i  (enters),
      .block_i   (block),
      .begins_i  (begins),
      .keeps_i   (keeps),
      .ends_o    (ends),
      .state_o   (state),
      .squeezes_i(squeezes),
      .free_o    (free)
  );

  logic output_ready;
  assign given = gives && output_ready;
  sha3_output u_output (
      .clk_i,
      .wipe_i (wipe),
      .valid_i(gives),
      .ready_o(output_ready),
      .tag_i  (tag_q + 2'd1),
      .last_i (last),
      .bytes_i(bytes),
      .state_i(state),
      .valid_o(out_valid_o),
      .ready_i(out_ready_i),
      .beat_o (out_o)
  );

endmodule

`default_nettype wire
