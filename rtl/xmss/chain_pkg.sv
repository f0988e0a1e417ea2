// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// What a chain core is told.
package chain_pkg;
  // What a job consists of, compressions in order:
  typedef enum logic [2:0] {
    OpRaw,     // one block from `a`, words `b0`, `b1`
    OpPair,    // the same, then the block that pads 128 bytes; XMSS with n = 24: the two blocks of a node from KEY `a` and both values
    OpChain,   // steps of a chain, one compression each: LMS, or XMSS with KEY and mask given for every step
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
endpackage

`default_nettype wire
