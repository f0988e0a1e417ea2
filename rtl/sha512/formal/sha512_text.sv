// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-512 as FIPS 180-4 writes it: rotations are shifts. Element i of a state is word 7 - i, as in
// rtl/sha512: a, or H0, is the highest one.
`default_nettype none

package sha512_text;
  typedef logic [63:0] word_t;
  typedef logic [7:0][63:0] state_t;

  // Section 3.2 (Operations on Words), 4.
  function automatic word_t rotr(word_t x, int unsigned n);
    return (x >> n) | (x << (64 - n));
  endfunction

  // Section 6.4.2 (SHA-512 Hash Computation), step 1: the word that follows sixteen others, of
  // which the oldest is element 0.
  function automatic word_t word(logic [15:0][63:0] last);
    word_t sigma0, sigma1;
    sigma0 = rotr(last[1], 1) ^ rotr(last[1], 8) ^ (last[1] >> 7);
    sigma1 = rotr(last[14], 19) ^ rotr(last[14], 61) ^ (last[14] >> 6);
    return sigma1 + last[9] + sigma0 + last[0];
  endfunction

  // Step 3.
  function automatic state_t round(state_t state, word_t k, word_t w);
    word_t a, b, c, d, e, f, g, h, t1, t2, sum0, sum1, choice, majority;
    {a, b, c, d, e, f, g, h} = state;
    choice = (e & f) ^ (~e & g);
    majority = (a & b) ^ (a & c) ^ (b & c);
    sum0 = rotr(a, 28) ^ rotr(a, 34) ^ rotr(a, 39);
    sum1 = rotr(e, 14) ^ rotr(e, 18) ^ rotr(e, 41);
    t1 = h + sum1 + choice + k + w;
    t2 = sum0 + majority;
    return {t1 + t2, a, b, c, d + t1, e, f, g};
  endfunction
endpackage

`default_nettype wire
