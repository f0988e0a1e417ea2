// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-256 as FIPS 180-4 writes it: rotations are shifts, and sums are sums. Element i of a state is
// word i: a, or H0, is element 0.
`default_nettype none

package sha256_text;
  typedef logic [31:0] word_t;
  typedef logic [7:0][31:0] state_t;

  // Section 3.2 (Operations on Words), 4.
  function automatic word_t rotr(word_t x, int unsigned n);
    return (x >> n) | (x << (32 - n));
  endfunction

  // Section 4.1.2 (SHA-224 and SHA-256 Functions).
  function automatic word_t choice(word_t x, word_t y, word_t z);
    return (x & y) ^ (~x & z);
  endfunction

  function automatic word_t majority(word_t x, word_t y, word_t z);
    return (x & y) ^ (x & z) ^ (y & z);
  endfunction

  function automatic word_t sum0(word_t x);
    return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22);
  endfunction

  function automatic word_t sum1(word_t x);
    return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25);
  endfunction

  // Section 6.2.2 (SHA-256 Hash Computation), step 3. T1 begins with h + K + W.
  function automatic state_t round(state_t state, word_t k, word_t w);
    word_t a, b, c, d, e, f, g, h, t1, t2;
    {h, g, f, e, d, c, b, a} = state;
    t1 = h + k + w + sum1(e) + choice(e, f, g);
    t2 = sum0(a) + majority(a, b, c);
    return {g, f, e, d + t1, c, b, a, t1 + t2};
  endfunction
endpackage

`default_nettype wire
