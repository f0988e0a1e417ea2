// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Commands of the engine, and what its parts tell each other.
package xmss_pkg;
  import sha256_pkg::*;
  import chain_pkg::*;

  /* verilator lint_off UNUSEDPARAM */  // a lane alone takes none of these
  localparam int unsigned Len = 67;  // chains at most: n = 32, XMSS with w = 16, LMS with w = 4
  localparam int unsigned Steps = 15;  // of a chain of XMSS
  // Values: chains and nodes from 0, the path from Len, the lowest nodes from Lowest.
  localparam int unsigned Slots = 128;
  localparam int unsigned Pairs = Len / 2;  // nodes of the L-tree's lowest row
  localparam int unsigned Lowest = Slots - Pairs;
  localparam logic [4:0] MaxHeight = 5'd20;  // of a tree
  localparam int unsigned WindowBits = 6;  // LMS with w = 1 and 2: 64 chains at a time
  /* verilator lint_on UNUSEDPARAM */

  typedef logic [6:0] slot_t;
  typedef logic [8:0] number_t;  // of a chain, whichever window it is in
  // Bytes of a message: with what stands before it, its bits are a number of 64 bits.
  typedef logic [59:0] length_t;

  typedef enum logic [3:0] {
    // Stream: SK_SEED, SK_PRF, PUB_SEED, root; of LMS SEED, I, root. Indices below `index` may not
    // sign.
    CmdLoadKey,
    CmdLoadPublic,  // stream: PUB_SEED (of LMS I), root
    // Makes r, secrets, keys and masks of `index`; with `check` keys and masks of its verification;
    // with `chain_table` r and all values of the chains.
    CmdPrepare,
    CmdSign,        // stream: message
    CmdVerify,      // stream: r, message, chain values, path
    CmdLeaf,        // the leaf `index`
    CmdClear,       // forgets everything
    CmdNode         // the node of `height`, number `index` there, of the tree
  } command_e;

  typedef struct packed {
    command_e op;
    logic check;
    logic chain_table;  // CmdPrepare: a table of all chain values too
    logic idle;  // CmdPrepare, CmdLeaf, CmdNode: the next command ends it, and it is refused
    mode_e mode;  // with CmdLoad*
    logic octets;  // with CmdLoad*: LMS with w = 8
    logic short_rate;  // with CmdLoad* and SHAKE: blocks of 136 bytes
    logic [4:0] height;  // of the tree, with CmdLoad*; of the node
    logic [31:0] index;
    length_t length;  // of the message
  } command_t;

  typedef enum logic [1:0] {
    StatusOk,
    StatusBad,   // the signature is not good
    StatusError  // refused: wrong command, wrong length, no key
  } status_e;

  typedef struct packed {
    status_e status;
    logic [7:0] verdict;  // verdict_e of xmss_control_pkg, of other commands VerdictNone
    logic [31:0] cycles;  // from the command to the answer
  } answer_t;

  // The stream of a command.
  typedef struct packed {
    logic ended;
    logic error;
  } stream_t;

  typedef struct packed {
    logic [1:0] number;
    state_t value;
  } item_t;

  typedef struct packed {
    logic   first;
    logic   last;
    block_t words;
  } message_block_t;

  // The message: its beginning, and its beats, the first byte on top.
  typedef struct packed {
    logic begins;  // one cycle
    logic empty;  // with `begins`: no beat follows
    length_t length;
    logic valid;
    logic last;
    logic [63:0] beat;
  } text_t;

  // Where a command starts, one cycle each.
  typedef struct packed {
    logic start;   // the command is taken
    logic refuse;  // it may not run
    logic keep;    // what was prepared is of use
    logic wipe;
    logic seeds;   // secret values
    logic rows;    // KEYs and masks of steps
    logic nodes;   // KEYs and masks of nodes
    logic tree;    // nodes
    logic whole;   // a leaf: every chain from its first value to its end
  } starts_t;

  // Where the digits of a message are there, or a leaf begins, one cycle each.
  typedef struct packed {
    logic start;
    logic absorb;  // the ends are hashed
  } chains_t;

  // The set of the key and how the scheduler goes about its chains.
  typedef struct packed {
    mode_e mode;
    logic octets;  // LMS with w = 8
    logic fly;  // masks are not prepared
    logic verify;
    logic in_order;  // the ends come in the order of the chains
    logic fills;  // chains go step by step, and each value into the table
    logic reads;  // the values of a signature are in the table
    logic [7:0] most;  // steps of a chain at a time
  } set_t;

  typedef struct packed {
    set_t set;
    logic [31:0] index;  // of the leaf
    logic [4:0] height;  // nodes above it
  } scope_t;

  // LMS with w = 1 and 2 has more chains than there is room for: they go in windows, one after the
  // other. Each of the other sets is one window.
  typedef struct packed {
    logic narrow;  // the set has windows
    logic ones;  // w = 1, not 2
    logic [2:0] number;  // of the window in work
    logic ends;  // its last cycle, and another one follows
    logic begins;  // the first cycle of one that follows
    number_t chains;  // of all windows
  } window_t;

  // Hashing outside of chains and nodes.
  typedef struct packed {
    logic hashing;  // of a message
    logic absorbing;  // of the ends of the chains
    logic derive;  // of a secret of LMS
    logic path;  // a path follows the leaf
  } phase_t;

  typedef struct packed {
    state_t state;
    block_t block;
  } raw_t;

  // A node that waits in the path for the one to its right.
  typedef struct packed {
    logic   valid;
    slot_t  slot;
    state_t value;
  } kept_t;

  // Output that begins, in one cycle, and the value r or C of it, or the leaf or node.
  typedef struct packed {
    logic   sign;
    logic   leaf;
    state_t r;
  } sends_t;

  // Values of the key and of the message.
  typedef struct packed {
    state_t seed;
    state_t secret;
    state_t pub_seed;
    state_t root;
    state_t digest;
  } values_t;

  // Where a result goes.
  typedef enum logic [2:0] {
    DestRaw,
    DestStart,   // a value of a chain, its first one or one on the way
    DestEnd,     // a chain's end, or a node
    DestRow,
    DestNodeRow
  } dest_e;

  // The index of a value is its slot in bits 6 to 0 and, of a chain, its step above.
  typedef struct packed {
    dest_e dest;
    logic [10:0] index;
  } tag_t;

  // RFC 8391, Section 5.1 (Implementing the Functions): the number X of toByte(X, n).
  typedef enum logic [2:0] {
    TypeF,
    TypeH,
    TypeMessage,
    TypePrf,
    TypeKeygen
  } type_e;

  typedef struct packed {
    logic valid;
    tag_t tag;
    logic [1:0] part;  // of a row
    logic last;  // of its job
    state_t digest;
  } result_t;

  // The words that are read of the memories at a time.
  typedef struct packed {
    state_t left;
    state_t right;
    state_t row_key;
    state_t row_mask;
    state_t node_key;
    state_t node_mask0;
    state_t node_mask1;
  } stored_words_t;

  // Words that a job or a step is given.
  typedef struct packed {
    state_t a;
    state_t b0;
    state_t b1;
  } operands_t;

  // Where a job's operands come from.
  typedef enum logic [2:0] {
    FromRaw,
    FromNode,
    FromSeed,
    FromChain,
    FromRow,
    FromNodeRow
  } source_e;

  typedef struct packed {
    source_e source;
    job_t job;
    tag_t tag;
    logic [9:0] row;  // of a chain's first step
    logic [8:0] rest;  // what is left of a chain's way behind this job
    logic [3:0] address_type;
    logic [31:0] address_4;  // words of the address
    logic [31:0] address_5;
    logic [31:0] address_6;
  } pick_t;

  // Returns where a value of a chain is in the table: bits 9 to 0 are its row, whose first part has
  // the chains up to 63 and whose second part has the others.
  function automatic logic [10:0] table_place(slot_t chain, logic [3:0] step);
    return {chain[6], step, chain[5:0]};
  endfunction

  // Chains of a one-time key.
  function automatic slot_t chains_of(mode_e mode, logic octets);
    unique case (mode)
      LmsN32:  return octets ? 7'd34 : 7'd67;
      LmsN24:  return octets ? 7'd26 : 7'd51;
      XmssN24: return 7'd51;
      default: return 7'd67;
    endcase
  endfunction

  // Returns the blocks that are hashed from the end of a chain of LMS on, and as many for all as
  // make 33 of the first.
  function automatic logic [5:0] blocks_behind(logic n24, slot_t chain);
    return 6'd33 - (n24 ? 6'((9'd3 * 9'(chain) + 9'd2) >> 3) : chain[6:1]);
  endfunction
endpackage

`default_nettype wire
