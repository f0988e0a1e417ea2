// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Jobs, reads and writes, as the parts of the refined stage tell each other.
package chain_unit_pkg;
  import sha256_pkg::*;
  import chain_pkg::*;

  // A job as it was ordered. Pointers are of words, multiples of 4.
  typedef struct packed {
    logic chain;  // pointers to a value and its head
    logic copy;  // of a value, to `target`
    logic node;  // pointers to a pair and its row; OpNodeRow: to an address
    job_t job;
    logic padded;  // OpRaw: 32 bytes are given, and padding as of a message of 96
    logic bytes;  // the state is given as bytes
    logic native;  // the result is a state and not bytes
    logic [9:0] row;  // of the first step
    logic [31:0] first;  // value, state, pair, or address
    logic [31:0] second;  // head, block, or row
    logic [31:0] target;
  } request_t;

  // Words to be read: into operands from `place` on, of a, b0 and b1.
  typedef struct packed {
    logic [31:0] address;
    logic [4:0] place;
    logic [4:0] count;
    logic swap;
    logic masks;  // they are added to what is there
  } segment_t;

  // The operands of a job, words 0 to 7 of a, b0 and b1 behind each other.
  typedef logic [23:0][31:0] operands_t;

  // A result on its way to memory.
  typedef struct packed {
    logic [31:0] address;
    logic six;  // words, not eight
    logic swap;
  } target_t;

  function automatic word_t swapped(logic swap, word_t word);
    return swap ? {word[7:0], word[15:8], word[23:16], word[31:24]} : word;
  endfunction
endpackage

`default_nettype wire
