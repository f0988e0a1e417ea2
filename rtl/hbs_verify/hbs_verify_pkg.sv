// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Types of hbs_verify, and the parameter sets that typecodes name.
package hbs_verify_pkg;
  // A set of LMS with SHA-256: RFC 8554, Section 4.1 (Parameters) and Section 5.1 (Parameters); for
  // n = 24 SP 800-208, Section 4 (Leighton-Micali Signatures (LMS) Parameter Sets).
  typedef struct packed {
    logic n24;  // values of 24 bytes, not 32
    logic [2:0] fives;  // height of the tree, divided by 5
    logic [1:0] log_w;  // binary logarithm of w
  } set_t;

  // The numbers of D_PBLC, D_MESG, D_LEAF and D_INTR (RFC 8554, Section 7.1 (Security String)).
  typedef enum logic [1:0] {
    HashEnds,
    HashMessage,
    HashLeaf,
    HashNode
  } hash_e;

  function automatic logic [15:0] security_string(hash_e what);
    return {2{6'b100000, what}};
  endfunction

  typedef enum logic [4:0] {
    StIdle,
    StLevels,  // HSS: the number of levels is due
    StTree,  // the typecode of LMS
    StOts,  // the typecode of LM-OTS
    StId,  // I
    StRoot,  // T[1]
    StSigned,  // HSS: the number of signed public keys
    StIndex,  // q
    StSigOts,  // the typecode of LM-OTS in the signature
    StPrefix,  // I, a number and a security string begin a hash
    StRandom,  // C
    StMessage,
    StDigest,  // the digest of the message becomes digits, or is given
    StChains,
    StSigTree,  // the typecode of LMS in the signature
    StNode,  // the last hash goes into the next one
    StSide,  // the node beside it
    StPad,
    StWait,  // the last block of a hash is in work
    StJudge,
    StDrain,  // the rest of a stream that is refused
    StAnswer
  } state_e;

  // The word that goes into the block.
  typedef struct packed {
    logic id;
    logic number;
    logic stream;
    logic value;
    logic digest;
    logic mark;
    logic high;    // the length, high word
    logic low;
  } source_t;

  function automatic logic knows_tree(logic [31:0] code);
    return code inside {[32'd5 : 32'd14]};
  endfunction

  // LM-OTS has the same n.
  function automatic logic ots_fits(logic [31:0] code, logic n24);
    return code inside {[32'd1 : 32'd8]} && (code[3:0] > 4'd4) == n24;
  endfunction

  function automatic logic [3:0] tree_code(logic n24, logic [2:0] fives);
    return {1'b0, fives} + (n24 ? 4'd9 : 4'd4);
  endfunction

  function automatic logic [3:0] ots_code(logic n24, logic [1:0] log_w);
    return {1'b0, n24, log_w} + 4'd1;
  endfunction

  // The number of leaves, of which one bit is set, and the bits of a leaf's place.
  function automatic logic [31:0] leaves_of(logic [2:0] fives);
    leaves_of = '0;
    for (int unsigned i = 1; i <= 5; i++) leaves_of[5*i] = fives == 3'(i);
  endfunction

  function automatic logic [31:0] places_of(logic [2:0] fives);
    places_of = '0;
    for (int unsigned i = 0; i < 25; i++) places_of[i] = fives > 3'(i / 5);
  endfunction

  // Chains of the message's digits.
  function automatic logic [8:0] digits_of(logic n24, logic [1:0] log_w);
    return (n24 ? 9'd192 : 9'd256) >> log_w;
  endfunction

  // All chains, p.
  function automatic logic [8:0] chains_of(logic n24, logic [1:0] log_w);
    unique case (log_w)
      2'd0: return n24 ? 9'd200 : 9'd265;
      2'd1: return n24 ? 9'd101 : 9'd133;
      2'd2: return n24 ? 9'd51 : 9'd67;
      default: return n24 ? 9'd26 : 9'd34;
    endcase
  endfunction
endpackage

`default_nettype wire
