// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Commands of a chain core.
package chain_pkg;
  // H(0) of SHA-256.
  localparam logic [7:0][31:0] InitialState = sha256_constants_pkg::InitialState;

  // The parts of a job, compressions in order:
  typedef enum logic [2:0] {
    OpRaw,     // one block from `a`, words `b0`, `b1`
    // the same, then the block that pads 128 bytes; XMSS with n = 24: the two blocks of a node from
    // KEY `a` and both values
    OpPair,
    // steps of a chain, one compression each: LMS, or XMSS with KEY and mask given for every step
    OpChain,
    OpFly,     // steps of an XMSS chain with KEY and mask computed on the way
    OpRow,     // KEY and mask of one step of an XMSS chain
    OpNodeRow  // KEY and both masks of one node of an L-tree or tree
  } op_e;

  // Which hash function F is.
  typedef enum logic [1:0] {
    XmssN32,
    XmssN24,
    LmsN32,
    LmsN24
  } mode_e;

  // A block.
  typedef enum logic [2:0] {
    KindRaw,   // b0, b1
    KindPad,   // padding of 128 bytes, or the end of a node with n = 24
    KindF,     // F of the mode
    KindPrf,   // PRF of an address
    KindTail,  // the second block of PRF with n = 24
    KindKey    // toByte(X, 32) and KEY, the first block of F and of H
  } kind_e;

  typedef struct packed {
    op_e op;
    logic [7:0] from;  // number of the first step
    logic [7:0] steps;  // of OpChain and OpFly, at least 1
  } job_t;

  // The operands of a block; of each line one at most.
  typedef struct packed {
    logic f_n32, f_n24, f_lms, prf_n32, prf_n24, tail, key, pad_n32, raw;
    logic pair;  // KEY and the children of a node with n = 24, up to the end of the first block
    logic rest;  // what is left of them
    logic n24;  // values have six words
    logic first;  // the value is b1, not the digest
    logic node;  // the address is a node's: word 6 as given
  } shape_t;

  // The chaining value that a block starts from, one of them.
  typedef struct packed {
    logic initial_state;
    logic seed;  // the state after the seed
    logic given;
  } origin_t;

  function automatic origin_t origin_of(kind_e kind, mode_e mode, logic pair);
    logic prf, initial_state;
    prf = kind == KindPrf;
    initial_state = kind == KindKey || (mode == XmssN24 && (prf || pair)) || (kind == KindF && mode != XmssN32);
    return '{initial_state: initial_state, seed: prf && mode != XmssN24, given: !initial_state && !prf};
  endfunction

  function automatic logic [31:0] from_where(origin_t origin, logic [31:0] initial_state, logic [31:0] seed, logic [31:0] given);
    return (origin.initial_state ? initial_state : '0) | (origin.seed ? seed : '0) | (origin.given ? given : '0);
  endfunction

  // Which words of a value stand in a word of a block; of LM-OTS a value begins with the last byte
  // of word 5, and the rest of its words, three bytes, is one word on from the first byte.
  typedef struct packed {
    logic [7:0] high;  // the first byte of the value's words
    logic [7:0] low;   // the rest
  } places_t;
endpackage

`default_nettype wire
