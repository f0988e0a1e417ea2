// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The public key in work, and of HSS the one that is signed with it, which takes its place. A value
// of 24 bytes leaves the last two words of the root as they come.
module hbs_verify_key
  import sha256_pkg::*;
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire xmss_i,
    input wire tree_i,  // `word_i` is the typecode of LMS, or the OID of XMSS
    input wire ots_i,  // it is that of LM-OTS
    input wire id_i,  // it is the next word of I
    input wire root_i,  // it is the next word of the root
    input wire next_i,  // those strobes are of the key that is signed, whose I and root are one
    input wire swap_i,  // the key that is signed becomes the key
    input wire pop_i,  // its next word is taken
    input wire lead_i,  // twice before: the first one of ten moves to the front
    input wire [31:0] word_i,
    // XMSS.
    input wire turn_i,  // the root's next word
    input wire seed_i,  // `seed_word_i` is one of SEED, or of the state after it
    input wire [31:0] seed_word_i,
    input wire stack_i,  // `stack_word_i` is one of the stack's digest
    input wire [31:0] stack_word_i,
    output state_t seed_o,  // six words begin at the third place
    output logic [31:0] root_word_o,
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

  // XMSS keeps its SEED in the lower words, and in the others and `id_q` the stack's digest.
  assign seed_o = words_q[7:0];
  assign root_word_o = root_q[0];

  assign next_o = words_q[0];
  assign same_o = digest_i[5:0] == root_q[5:0] && (set_q.n24 || digest_i[7:6] == root_q[7:6]);

  set_t named;
  assign named.n24   = word_i[3:0] >= 4'd10;
  assign named.fives = xmss_i ? 3'd1 + {1'b0, word_i[1:0]} : 3'(word_i[3:0] - (named.n24 ? 4'd9 : 4'd4));
  assign named.log_w = word_i[1:0] - 2'd1;

  logic shift;
  assign shift = (id_i && next_i) || pop_i || lead_i;
  always_ff @(posedge clk_i) begin
    if ((id_i && !next_i) || stack_i) id_q <= {stack_i ? words_q[8] : word_i, id_q[3:1]};
    if ((root_i && !next_i) || turn_i) root_q <= {turn_i ? root_q[0] : word_i, root_q[7:1]};
    if (shift || seed_i) words_q[7:0] <= {seed_i ? seed_word_i : words_q[8], words_q[7:1]};
    if (shift || stack_i) words_q[11:8] <= {stack_i ? stack_word_i : word_i, words_q[11:9]};
  end
  always_ff @(posedge clk_i) begin
    if (tree_i && !next_i) {set_q.n24, set_q.fives} <= {named.n24, named.fives};
    if (ots_i && !next_i) set_q.log_w <= named.log_w;
    if (tree_i && next_i) {next_q.n24, next_q.fives} <= {named.n24, named.fives};
    if (ots_i && next_i) next_q.log_w <= named.log_w;
    if (tree_i && xmss_i) set_q.log_w <= 2'd2;
    if (swap_i) set_q <= next_q;
  end
endmodule

`default_nettype wire
