// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The public key in work, and of HSS the one that is signed with it, which takes its place. A value
// of 24 bytes leaves the last two words of the root as they come.
module hbs_verify_key
  import sha256_pkg::*;
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire tree_i,  // `word_i` is the typecode of LMS
    input wire ots_i,  // it is that of LM-OTS
    input wire id_i,  // it is the next word of I
    input wire root_i,  // it is the next word of the root
    input wire next_i,  // those strobes are of the key that is signed, whose I and root are one
    input wire swap_i,  // the key that is signed becomes the key
    input wire pop_i,  // its next word is taken
    input wire [31:0] word_i,
    output logic [31:0] next_o,  // its next word
    output logic next_n24_o,
    output set_t set_o,
    output logic [3:0][31:0] id_o,
    input wire state_t digest_i,
    output logic same_o  // it is the root
);
  set_t set_q, next_q;
  logic [ 3:0][31:0] id_q;
  logic [ 7:0][31:0] root_q;
  logic [11:0][31:0] words_q;
  assign set_o = set_q;
  assign id_o = id_q;
  assign next_n24_o = next_q.n24;

  // Ten words begin at the third place.
  assign next_o = next_q.n24 ? words_q[2] : words_q[0];
  assign same_o = digest_i[5:0] == root_q[5:0] && (set_q.n24 || digest_i[7:6] == root_q[7:6]);

  set_t named;
  assign named.n24   = word_i[3:0] >= 4'd10;
  assign named.fives = 3'(word_i[3:0] - (named.n24 ? 4'd9 : 4'd4));
  assign named.log_w = word_i[1:0] - 2'd1;

  always_ff @(posedge clk_i) begin
    if (tree_i && !next_i) {set_q.n24, set_q.fives} <= {named.n24, named.fives};
    if (ots_i && !next_i) set_q.log_w <= named.log_w;
    if (tree_i && next_i) {next_q.n24, next_q.fives} <= {named.n24, named.fives};
    if (ots_i && next_i) next_q.log_w <= named.log_w;
    if (swap_i) set_q <= next_q;
    if (id_i && !next_i) id_q <= {word_i, id_q[3:1]};
    if (root_i && !next_i) root_q <= {word_i, root_q[7:1]};
    if ((id_i && next_i) || pop_i) words_q <= {word_i, words_q[11:1]};
  end
endmodule

`default_nettype wire
