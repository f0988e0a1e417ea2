// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The blocks that SHA-256 hashes one after the other: of the message, or of the ends of the chains
// of LMS.
module xmss_feed
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_hash_pkg::*;
#(
    parameter bit NARROW = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire window_t window_i,
    input wire slot_t len_i,
    input wire absorb_i,  // the ends begin
    input wire absorbing_i,
    input wire stop_i,
    // The message.
    input wire text_t text_i,
    output logic text_ready_o,
    // The ends of the chains.
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    output slot_t slot_o,  // to read
    input wire state_t value_i,  // what was read, two cycles later at most
    output logic passed_o,  // the last end of a window is taken
    output logic valid_o,
    input wire ready_i,
    output message_block_t block_o
);
  logic n24, lms;
  assign n24 = mode_i inside {XmssN24, LmsN24};
  assign lms = mode_i[1];

  logic beat_ready, end_valid, end_last;
  logic [63:0] end_beat;
  assign text_ready_o = beat_ready && !absorbing_i;
  xmss_absorb #(
      .NARROW(NARROW)
  ) u_absorb (
      .clk_i,
      .rst_ni,
      .start_i(absorb_i),
      .stop_i,
      .n24_i  (n24),
      .window_i,
      .len_i,
      .ended_i,
      .used_o,
      .slot_o,
      .value_i,
      .valid_o(end_valid),
      .ready_i(beat_ready && absorbing_i),
      .beat_o (end_beat),
      .last_o (end_last),
      .passed_o
  );

  // In front of a message of XMSS are whole blocks of 64 bytes: one with n = 24, two with n = 32.
  logic [ 6:0] lead;  // bytes before the message
  logic [60:0] message_bytes;
  logic [31:0] ends_bits;
  always_comb begin
    unique case (mode_i)
      XmssN24: lead = XmssLeadN24;
      LmsN32:  lead = 7'(LmsHeadBytes + N32);
      LmsN24:  lead = 7'(LmsHeadBytes + N24);
      default: lead = '0;
    endcase
  end
  // Set and length are known some cycles before the last block: what depends on the set goes to all
  // lanes, and the sum is made in two halves.
  logic [ 7:0] before_q;  // all bytes before the message
  logic [30:0] low_q;
  always_ff @(posedge clk_i) begin
    before_q <= {lms ? 2'd0 : n24 ? 2'd1 : 2'd2, 6'd0} + 8'(lead);
    low_q <= {1'b0, text_i.length[29:0]} + 31'(before_q);
  end
  assign message_bytes = {{1'b0, text_i.length[59:30]} + 31'(low_q[30]), low_q[29:0]};
  assign ends_bits = (32'(LmsHeadBytes) + (n24 ? 32'(N24) : 32'(N32)) * {23'd0, NARROW ? window_i.chains : number_t'(len_i)}) << 3;

  xmss_blocks u_blocks (
      .clk_i,
      .rst_ni,
      .start_i(text_i.begins || absorb_i),
      .empty_i(!absorb_i && text_i.empty),
      .lead_i (absorb_i ? 3'd2 : lead[5:3]),
      .shift_i(absorbing_i ? 3'd6 : lead[2:0]),
      .bits_i (absorbing_i ? {32'd0, ends_bits} : {message_bytes, 3'd0}),
      .stop_i,
      .valid_i(absorbing_i ? end_valid : text_i.valid),
      .ready_o(beat_ready),
      .beat_i (absorbing_i ? end_beat : text_i.beat),
      .last_i (absorbing_i ? end_last : text_i.last),
      .bytes_i(absorbing_i ? '0 : text_i.length[2:0]),
      .valid_o,
      .ready_i,
      .first_o(block_o.first),
      .last_o (block_o.last),
      .block_o(block_o.words)
  );
endmodule

`default_nettype wire
