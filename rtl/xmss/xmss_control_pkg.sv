// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Records that the parts of xmss_control exchange.
package xmss_control_pkg;
  import sha256_pkg::state_t;

  // States of xmss_sequencer.
  typedef enum logic [4:0] {
    StWipe,
    StIdle,
    StItem,      // a value of a key is due
    StItemRaw,   // it is hashed
    StRandom,    // r of a signature
    StRandom2,   // its second block, n = 24
    StHead,      // r is due
    StHead1,     // XMSS: the block before the message
    StHead2,     // its second block, n = 32
    StBlock,     // a block of the message is due, or one of the ends of the chains
    StBlockRaw,  // it is hashed
    StLeaf,      // LMS: a leaf
    StSide,      // the node beside the path is due
    StNode1,     // LMS: a node
    StNode2,     // its second block
    StKeep,      // the path keeps a node for the one to its right
    StJudge,     // LMS: the root is compared
    StWork,      // chains and nodes of XMSS are due
    StSettle,    // the last work of CmdPrepare ends
    StOutput,
    StRefuse,
    StAnswer
  } state_e;

  // The decision on a signature. Codes differ in four bits at least, so that a bit that flips makes
  // none of another.
  typedef enum logic [7:0] {
    VerdictGood  = 8'h96,
    VerdictBad   = 8'h69,
    VerdictError = 8'h0f
  } verdict_e;
  // It is shown where nothing was decided.
  /* verilator lint_off UNUSEDPARAM */  // the boot verifier shows it on its bus alone
  localparam logic [7:0] VerdictNone = 8'h00;
  /* verilator lint_on UNUSEDPARAM */
  typedef enum logic [7:0] {
    DueNothing = 8'h5a,  // the command compares no root
    DueRoot    = 8'ha5,
    DueWiped   = 8'h3c   // what it would compare was wiped
  } due_e;

  // The right of the command in work to show values of a one-time key, and prepared ones.
  typedef enum logic [7:0] {
    GrantNone     = 8'h5a,
    GrantSign     = 8'ha5,
    GrantPrepared = 8'h3c
  } grant_e;

  // The values of a key, in the order of CmdLoadKey.
  typedef enum logic [1:0] {
    ItemSecret,
    ItemPrf,
    ItemSeed,
    ItemRoot
  } item_e;

  // The command that is offered.
  typedef struct packed {
    logic accept;  // it is taken
    logic go;  // it is taken, and it may run
    logic hashes;  // its first state hashes
    logic leaves;  // a leaf begins: with the command, or the next one of a node
    logic fills;  // a table of chain values begins
    logic judges;  // it ends with a decision on a signature
    state_e first;  // its first state
  } offer_t;

  // The command in work.
  typedef struct packed {
    logic loads;
    logic prepares;
    logic signs;
    logic verifies;
    logic leaf;  // CmdLeaf or CmdNode
    logic yields;  // it gives way to the next command
  } work_t;

  typedef struct packed {
    logic n24;
    logic lms;
    logic plain;  // a key has no midstates, and no block precedes the message
  } kind_t;

  // The leaf in work, and the node above it.
  typedef struct packed {
    logic [31:0] index;
    logic [20:0] node;   // RFC 8554, Section 5.3 (LMS Public Key): its number r, 1 for the root
  } place_t;

  // How far the way upward goes.
  typedef struct packed {
    logic alone;  // the leaf completes no node
    logic top;    // the leaf completes the node that is asked for, or is asked for itself
    logic ends;   // the node in work is the last one
  } climb_t;

  // Events of this cycle.
  typedef struct packed {
    logic another;  // the next leaf of a node begins
    logic node;  // a node of LMS is there
    logic item;  // a value of a key has come
    logic item_hashed;  // its hash is there
    logic head;  // r has come
    logic block;  // a block is taken
  } events_t;

  // Values that are kept of a key: some as states of SHA-256 after their first block.
  typedef struct packed {
    state_t secret;
    state_t prf;
    state_t seed;
    state_t pub_seed;
    state_t root;
  } keys_t;
endpackage

`default_nettype wire
