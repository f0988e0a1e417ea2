// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// How much of the message is still to come, and the length of each hash's input.
module hbs_verify_length
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire xmss_i,
    input wire load_i,  // a command begins
    input wire [59:0] length_i,
    input wire start_i,  // a message begins
    input wire bottom_i,  // it is the one given, not a public key
    input wire key_i,  // the public key's first word is taken
    input wire key_n24_i,  // that word is a set's with n = 24
    input wire next_n24_i,  // the key that was signed is of such a set
    input wire word_i,  // a further word is taken
    input wire n24_i,
    input wire [1:0] log_w_i,
    input wire hash_e hash_i,
    output logic none_o,
    output logic [1:0] bytes_o,  // of the next word, 0 if all
    output logic last_o,  // nothing follows the next word
    output logic [63:0] bits_o
);
  // Two words before the end of the message it is known which one ends it.
  logic [59:0] length_q, left_q;
  logic empty_q, none_q, last_q;
  assign none_o  = none_q;
  assign last_o  = last_q;
  assign bytes_o = last_q ? left_q[1:0] : '0;

  always_ff @(posedge clk_i) begin
    if (load_i) length_q <= length_i;
    empty_q <= length_q == '0;
    if (start_i) left_q <= bottom_i ? length_q : 60'd56;
    else if (key_i) left_q <= key_n24_i ? 60'd44 : 60'd52;
    else if (word_i) left_q <= left_q - 60'd4;
    if (start_i) none_q <= bottom_i && empty_q;
    else if (word_i) none_q <= last_q;
    last_q <= left_q <= (word_i ? 60'd8 : 60'd4);
  end

  // Bytes behind I, the number and the security string, which are 22.
  logic [ 5:0] n;
  logic [13:0] ends;
  logic [59:0] behind;
  logic [ 7:0] fixed;
  assign n = n24_i ? 6'd24 : 6'd32;
  assign ends = n24_i ? {1'b0, chains_of(
      n24_i, log_w_i
  ), 4'd0} + {2'b0, chains_of(
      n24_i, log_w_i
  ), 3'd0} : {chains_of(
      n24_i, log_w_i
  ), 5'd0};
  // XMSS has its message hashed here: toByte(2, p), r, the root and idx_sig precede it.
  assign fixed = xmss_i ? (n24_i ? 8'd76 : 8'd128) : 8'd22 + {2'b0, hash_i == HashEnds ? 6'd0 : n};
  always_comb begin
    unique case (hash_i)
      HashMessage: behind = bottom_i ? length_q : next_n24_i ? 60'd48 : 60'd56;
      HashEnds: behind = {46'd0, ends};
      HashLeaf: behind = '0;
      default: behind = {54'd0, n};
    endcase
  end

  // All that the sum depends on stays as it is from a cycle before the padding on.
  logic [60:0] bytes_q;
  always_ff @(posedge clk_i) bytes_q <= {1'b0, behind} + {53'd0, fixed};
  assign bits_o = {bytes_q, 3'd0};
endmodule

`default_nettype wire
