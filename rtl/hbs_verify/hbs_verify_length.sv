// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// How much of the message is still to come, and the length of the hash's input: its words are
// counted as they go into the block.
module hbs_verify_length
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire xmss_i,
    input wire load_i,  // a command begins
    input wire [59:0] length_i,
    input wire start_i,  // a message begins
    input wire bottom_i,  // it is the one given, not a public key
    input wire next_n24_i,  // the public key's set has n = 24
    input wire word_i,  // a word of it is taken
    input wire n24_i,
    input wire clear_i,  // no hash is in work
    input wire push_i,  // a word of its input goes into the block
    output logic none_o,
    output logic [1:0] bytes_o,  // of the next word, 0 if all
    output logic last_o,  // nothing follows the next word
    output logic [63:0] bits_o
);
  // Words that go into the block are counted, a message's from where it begins. The last one brings
  // along those that stand before: I, a number, the security string and C; for XMSS toByte(2, p),
  // r, the root and idx_sig.
  logic [59:0] length_q;
  logic [58:0] words_q, words;
  logic [5:0] ahead, more;
  logic [1:0] bytes_q;
  logic whole, none, none_q, last_q;
  assign none_o = none_q;
  assign last_o = last_q;
  assign bytes_o = last_q && bottom_i ? length_q[1:0] : '0;
  assign none = bottom_i && length_q == '0;
  assign ahead = xmss_i ? (n24_i ? 6'd19 : 6'd32) : n24_i ? 6'd11 : 6'd13;

  // The last word of a message is due where the count is that of its words that are whole. So it
  // begins with 1 where there is no other, as in a public key, which has 12 or 14 words.
  assign whole = !bottom_i || length_q[1:0] == '0;

  // With LMS all that follows I and a number is two bytes off a word, and with XMSS nothing is: a
  // last word of two or three bytes makes a further one whole.
  assign more = word_i && last_q ? ahead + {5'd0, !xmss_i && bytes_o[1]} : {5'd0, push_i};
  always_comb begin
    words = words_q + {53'd0, more};
    if (start_i) words = none ? {53'd0, ahead} : {58'd0, whole};
    if (clear_i) words = '0;
  end

  // The count and `word_i` are the number of whole words where each bit of their sum is right, with
  // the carry that the number's bit below tells.
  logic [57:0] differ, carry;
  assign differ = words_q[57:0] ^ length_q[59:2];
  assign carry  = {words_q[56:0] & ~length_q[58:2], word_i};
  always_ff @(posedge clk_i) begin
    if (load_i) length_q <= length_i;
    if (start_i) none_q <= none;
    else if (word_i) none_q <= last_q;
    last_q  <= bottom_i ? differ == carry : words[3:0] == {2'b11, !next_n24_i, 1'b0};
    words_q <= words;
    if (word_i || start_i || clear_i) bytes_q <= (xmss_i ? 2'd0 : 2'd2) + (word_i ? bytes_o : 2'd0);
  end
  assign bits_o = {words_q, bytes_q, 3'd0};
endmodule

`default_nettype wire
