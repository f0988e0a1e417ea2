// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A message of any length, up to 2^60 - 1 bytes: the input takes as many words of it as its length
// says, and its last block of SHA-256 ends with the number of its bits and of those before it. No
// bench has messages of more than some 64 KiB.
//
// The engine promises: set and length change with a command only, and a command starts when nothing
// of the message before is left.
`default_nettype none

module length_proof
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire verify_i,
    input wire refuse_i,
    input wire length_t length_i,
    input wire mode_e mode_i,
    input wire slot_t len_i,
    input wire [4:0] height_i,
    input wire valid_i,
    input wire [63:0] data_i,
    input wire last_i,
    input wire item_ready_i,
    input wire block_ready_i,
    output logic differs_o
);
  logic start, ended, error, ready, item_valid, tail, text_ready, block_valid;
  logic [6:0] item;
  logic [1:0] number;
  state_t value;
  text_t text;
  message_block_t block;
  slot_t unused_slot;
  logic unused_passed;
  logic [Slots-1:0] unused_used;
  assign start = start_i && ended && !text.begins && 2'(u_feed.u_blocks.state_q) == 2'd0 && !block_valid;

  // The command's length and set, and whether it started in the last cycles; a reset is as good.
  length_t length_q;
  mode_e   mode_q;
  logic started_q, second_q;
  always_ff @(posedge clk_i) begin
    if (start) {length_q, mode_q} <= {length_i, mode_i};
    started_q <= start || !rst_ni;
    second_q  <= started_q;
  end

  xmss_input u_input (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .op_i(verify_i ? CmdVerify : CmdSign),
      .length_i(start ? length_i : length_q),
      .refuse_i,
      .load_lms_i(1'b0),
      .mode_i(mode_q),
      .window_i('0),
      .len_i,
      .height_i,
      .ended_o(ended),
      .error_o(error),
      .valid_i,
      .ready_o(ready),
      .data_i,
      .last_i,
      .item_valid_o(item_valid),
      .item_ready_i,
      .item_o(item),
      .number_o(number),
      .tail_o(tail),
      .value_o(value),
      .text_o(text),
      .text_ready_i(text_ready)
  );
  xmss_feed u_feed (
      .clk_i,
      .rst_ni,
      .mode_i(mode_q),
      .window_i('0),
      .len_i,
      .absorb_i(1'b0),
      .absorbing_i(1'b0),
      .stop_i(error),
      .text_i(text),
      .text_ready_o(text_ready),
      .ended_i('0),
      .used_o(unused_used),
      .slot_o(unused_slot),
      .value_i('0),
      .passed_o(unused_passed),
      .valid_o(block_valid),
      .ready_i(block_ready_i),
      .block_o(block)
  );
  wire unused = &{item_valid, item, number, tail, value, ready, unused_used, unused_slot};

  // Words that were taken, and as many as the length says.
  logic [56:0] taken_q;
  logic [57:0] words;
  assign words = 58'((61'(length_q) + 61'd7) >> 3);
  always_ff @(posedge clk_i) begin
    if (start) taken_q <= '0;
    else if (text.valid && text_ready) taken_q <= taken_q + 57'd1;
  end
  logic wrong_words;
  assign wrong_words = text.valid && text.last != (58'(taken_q) + 58'd1 == words);

  // Bytes before the message: toByte, r, root and index, or I, q, D and C.
  logic [60:0] bytes;
  always_comb begin
    unique case (mode_q)
      XmssN32: bytes = 61'(length_q) + 61'd128;
      XmssN24: bytes = 61'(length_q) + 61'd76;
      LmsN32:  bytes = 61'(length_q) + 61'd54;
      default: bytes = 61'(length_q) + 61'd46;
    endcase
  end
  logic wrong_bits;
  assign wrong_bits = block_valid && block.last && {block.words[14], block.words[15]} != {bytes, 3'd0};

  // The invariants that hold it together from cycle to cycle.
  logic due, off;
  logic [2:0] state;
  assign state = 3'(u_input.state_q);
  assign due   = state == 3'd2 || (state == 3'd1 && u_input.op_q == CmdVerify && length_q != '0);
  always_comb begin
    off = due && 58'(taken_q) + 58'(u_input.left_q) + 58'd1 != words;
    if (due && !started_q && u_input.last_q != (u_input.left_q == '0)) off = 1'b1;
    if (started_q && (u_input.full_q || (state == 3'd2 && !text.begins))) off = 1'b1;
    if (state == 3'd2 && length_q == '0) off = 1'b1;
    if (!started_q && 61'(u_feed.before_q) != bytes - 61'(length_q)) off = 1'b1;
    if (!started_q && !second_q && u_feed.low_q != {1'b0, length_q[29:0]} + 31'(u_feed.before_q)) off = 1'b1;
    if (second_q && (block_valid || 2'(u_feed.u_blocks.state_q) == 2'd3)) off = 1'b1;
    if (state == 3'd1 && (text.begins || u_input.op_q != CmdVerify)) off = 1'b1;
    if ((started_q || text.begins || state == 3'd1) && (block_valid || 2'(u_feed.u_blocks.state_q) != 2'd0)) off = 1'b1;
  end

  assign differs_o = wrong_words || wrong_bits || off;
endmodule

`default_nettype wire
