// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The blocks that SHAKE hashes, in Keccak's order of bytes.
package xmss_shake_pkg;
  import sha256_pkg::state_t;
  import chain_pkg::*;
  import xmss_pkg::type_e;

  localparam int unsigned Words = 50;  // of 32 bits in Keccak's state
  localparam int unsigned Lanes = 21;  // of the longest block, of SHAKE128
  localparam int unsigned ShortLanes = 17;  // of SHAKE256's
  typedef logic [Words-1:0][31:0] words_t;

  // The engine's values have the first byte of a word on top, Keccak has it at the bottom; back
  // again is the same.
  function automatic state_t turned(state_t value);
    for (int unsigned i = 0; i < 8; i++) for (int unsigned j = 0; j < 4; j++) turned[i][8*j+:8] = value[i][8*(3-j)+:8];
  endfunction

  // A lane's next block: what the lane hears again when it enters, and what the others need.
  typedef struct packed {
    logic on;  // of the job in work
    op_e op;
    logic [1:0] part;
    logic [7:0] step;
    logic [7:0] left;  // steps, with this one
  } place_t;
  typedef struct packed {
    logic   valid;
    logic   live;   // with the digest that ends as it enters
    type_e  kind;
    place_t place;
  } turn_t;

  // The result of the block in the core.
  typedef struct packed {
    logic result;
    logic of_message;
    logic [1:0] part;
    logic last;
  } end_t;
endpackage

`default_nettype wire
