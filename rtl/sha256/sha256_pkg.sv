// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Types of SHA-256, its constants and its small functions (FIPS 180-4, Section 4.1.2 (SHA-224 and
// SHA-256 Functions)). A word of a state or block is element i: H0 is state[0].
package sha256_pkg;
  typedef logic [31:0] word_t;
  typedef logic [7:0][31:0] state_t;
  typedef logic [6:0][31:0] rest_t;  // a state without h
  typedef logic [15:0][31:0] block_t;

  localparam logic [63:0][31:0] RoundConstants = sha256_constants_pkg::RoundConstants;

  function automatic word_t small0(word_t x);
    return {x[6:0], x[31:7]} ^ {x[17:0], x[31:18]} ^ {3'b0, x[31:3]};
  endfunction

  function automatic word_t small1(word_t x);
    return {x[16:0], x[31:17]} ^ {x[18:0], x[31:19]} ^ {10'b0, x[31:10]};
  endfunction

  function automatic word_t big0(word_t x);
    return {x[1:0], x[31:2]} ^ {x[12:0], x[31:13]} ^ {x[21:0], x[31:22]};
  endfunction

  function automatic word_t big1(word_t x);
    return {x[5:0], x[31:6]} ^ {x[10:0], x[31:11]} ^ {x[24:0], x[31:25]};
  endfunction

  // A carry-save adder: the sum of x, y and z is the sum of both words.
  function automatic word_t save(word_t x, word_t y, word_t z);
    return x ^ y ^ z;
  endfunction

  function automatic word_t carry(word_t x, word_t y, word_t z);
    return ((x & y) | (x & z) | (y & z)) << 1;
  endfunction
endpackage

`default_nettype wire
