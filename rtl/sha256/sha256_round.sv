// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// One round of SHA-256 (FIPS 180-4, Section 6.2.2 (SHA-256 Hash Computation), step 3), K + W given as a sum, by carry-save
// adders with one carry-propagate adder for each of a and e. `more_a_i` and `more_e_i` are added to them: the chaining
// value in the last round of a block.
module sha256_round
  import sha256_pkg::*;
(
    input wire state_t state_i,
    input wire word_t kw_i,
    input wire word_t more_a_i,
    input wire word_t more_e_i,
    output state_t state_o
);
  word_t a, b, c, d, e, f, g, h;
  assign {h, g, f, e, d, c, b, a} = state_i;

  word_t choice, majority;
  assign choice   = (e & f) ^ (~e & g);
  assign majority = (a & b) | (c & (a | b));

  // T1 in two words, then what only a or only e gets.
  word_t s1, c1, s2, c2, sa, ca, se, ce;
  assign s1 = save(h, kw_i, choice);
  assign c1 = carry(h, kw_i, choice);
  assign s2 = save(s1, c1, big1(e));
  assign c2 = carry(s1, c1, big1(e));
  assign sa = save(big0(a), majority, more_a_i);
  assign ca = carry(big0(a), majority, more_a_i);
  assign se = save(s2, d, more_e_i);
  assign ce = carry(s2, d, more_e_i);

  word_t s3, c3, new_a, new_e;
  assign s3 = save(s2, sa, ca);
  assign c3 = carry(s2, sa, ca);
  assign new_a = save(s3, c3, c2) + carry(s3, c3, c2);
  assign new_e = save(se, ce, c2) + carry(se, ce, c2);
  assign state_o = {g, f, e, new_e, c, b, a, new_a};
endmodule

`default_nettype wire
