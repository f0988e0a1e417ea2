// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The way of a message into the SHA-3 unit: beats of the tags that are open become blocks.
`default_nettype none

module sha3_message
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    // A command for the tag in opens_i.
    input wire [Tags-1:0] opens_i,
    input wire op_e op_i,
    input wire [4:0] rate_i,
    input wire [2:0] lanes_i,
    input wire [7:0] suffix_i,
    // Beats.
    input wire in_valid_i,
    output logic in_ready_o,
    input wire beat_t in_i,
    // The slot that passes the entry.
    input wire tag_t tag_i,
    output logic [7:0] suffix_o,  // of its tag
    input wire free_i,  // no permutation runs in the next one
    output logic comes_o,  // a block enters the next one
    input wire enters_i,  // the block enters
    output end_e ending_o,
    output logic [1599:0] block_o
);

  logic closes, two, open, once;
  logic [4:0] lanes;
  logic [7:0] suffix;
  sha3_blocks u_blocks (
      .clk_i,
      .wipe_i,
      .opens_i,
      .op_i,
      .rate_i,
      .lanes_i,
      .suffix_i,
      .tag_i         (in_i.tag),
      .closes_i      (closes),
      .lanes_o       (lanes),
      .suffix_o      (suffix),
      .two_o         (two),
      .open_o        (open),
      .once_o        (once),
      .entry_tag_i   (tag_i),
      .entry_suffix_o(suffix_o)
  );
  sha3_assembler u_assembler (
      .clk_i,
      .rst_ni    (!wipe_i),
      .valid_i   (in_valid_i),
      .ready_o   (in_ready_o),
      .beat_i    (in_i),
      .rate_i    (lanes),
      .suffix_i  (suffix),
      .two_i     (two),
      .open_i    (open && !wipe_i),
      .once_i    (once),
      .closes_o  (closes),
      .next_i    (free_i && !wipe_i),
      .next_tag_i(tag_i - 2'd1),
      .next_o    (comes_o),
      .taken_i   (enters_i),
      .ending_o,
      .block_o
  );

endmodule

`default_nettype wire
