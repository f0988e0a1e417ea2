// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// One round of SHA-256 (FIPS 180-4, Section 6.2.2 (SHA-256 Hash Computation), step 3), h + K + W
// given as one word, by carry-save adders with one carry-propagate adder for each of a and e. With
// MORE `more_a_i` and `more_e_i` are added to them.
module sha256_round
  import sha256_pkg::*;
#(
    parameter bit MORE = 1'b0
) (
    input wire rest_t state_i,
    input wire word_t hkw_i,
    input wire word_t more_a_i,
    input wire word_t more_e_i,
    output rest_t state_o
);
  word_t a, b, c, d, e, f, g;
  assign {g, f, e, d, c, b, a} = state_i;

  word_t choice, majority;
  assign choice   = (e & f) | (~e & g);
  assign majority = (a & b) | (c & (a | b));

  // T1 in two words, then what only a or only e gets.
  word_t s1, c1, sa, ca, se, ce;
  assign s1 = save(hkw_i, choice, big1(e));
  assign c1 = carry(hkw_i, choice, big1(e));
  if (MORE) begin : gen_more
    assign sa = save(big0(a), majority, more_a_i);
    assign ca = carry(big0(a), majority, more_a_i);
    assign se = save(s1, d, more_e_i);
    assign ce = carry(s1, d, more_e_i);
  end else begin : gen_plain
    logic unused;
    assign unused = ^{more_a_i, more_e_i};
    assign sa = big0(a);
    assign ca = majority;
    assign se = s1;
    assign ce = d;
  end

  word_t s2, c2, new_a, new_e;
  assign s2 = save(s1, sa, ca);
  assign c2 = carry(s1, sa, ca);
  assign new_a = save(s2, c2, c1) + carry(s2, c2, c1);
  assign new_e = save(se, ce, c1) + carry(se, ce, c1);
  assign state_o = {f, e, new_e, c, b, a, new_a};
endmodule

`default_nettype wire
