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
    StAnswer,
    StXmss  // XMSS: seed and head of the message, or chains and trees (`hbs_verify_xmss`)
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

  // States of `hbs_verify_xmss_control`.
  typedef enum logic [4:0] {
    XmIdle,
    XmConst,  // toByte(X, p) begins a hash
    XmSeed,  // SEED
    XmIndex,  // idx_sig
    XmRandom,  // r
    XmRoot,  // the root, which H_msg takes
    XmPlace,  // toByte(idx_sig, n)
    XmFetch,  // a value of the signature
    XmPrf,  // a KEY or mask is in work
    XmKey,  // the KEY goes into the block
    XmMask,  // a value and its mask do
    XmPad,
    XmWait,  // the last block of a hash is in work
    XmKeep,  // its result moves to where it is kept
    XmClimb,  // how a node of the L-tree goes on
    XmPush,  // a node goes onto the stack
    XmPop,  // the node to its left comes back
    XmDone
  } xmss_state_e;

  // The hash in work.
  typedef enum logic [2:0] {
    JobSeed,  // the state that PRF begins with, for n = 32
    JobMessage,
    JobStep,  // of a chain
    JobLeaf,  // a node of the L-tree
    JobPath  // one of the tree
  } job_e;

  // Where the hash in work is, for its address: RFC 8391, Section 2.5 (Hash Function Address
  // Scheme).
  typedef struct packed {
    job_e job;
    logic [1:0] part;  // keyAndMask
    logic [6:0] chain;
    logic [3:0] step;
    logic [4:0] level;
    logic [6:0] node;  // of the L-tree
  } place_t;

  // Commands to the rest of the core.
  typedef struct packed {
    // The stream.
    logic due;
    logic fits;
    logic ends;  // the last word
    logic done;
    logic head;  // up to the message
    logic fault;  // the stack is not as it was left
    // Key, number, digits and value.
    logic index;  // the word is idx_sig
    logic up;  // idx_sig becomes that of the node above
    logic turn;  // the next word of the root
    logic begins;  // some cycles before the message
    logic seed;  // a word is kept in place of SEED
    logic [31:0] seed_word;
    logic shelf;  // a word is kept of what the stack is checked by
    logic [31:0] shelf_word;
    logic value_push;
    logic value_pop;
    logic value_digest;  // a word of the digest, not of the stream
    logic digit;
    logic digit_ends;  // it is the last one of the message
    // Compressions.
    logic step;  // a block of PRF is due
    logic state;  // it begins from what is kept in place of SEED
    logic more;  // it goes on from the one before
    logic [31:0] step_word;
    logic first;
    logic aside;  // a block of the stack, on its own
    logic early;  // the block may begin
    logic push;
    logic [31:0] word;
    logic [2:0] at;  // the digest's word that is read
    logic [2:0] slot;  // the block's
  } xmss_t;

  function automatic logic knows_xmss(logic [31:0] code);
    return code inside {[32'd1 : 32'd3], [32'd13 : 32'd15]};
  endfunction

  // With XMSS `fives` is 2, 3 or 4, and the height 10, 16 or 20.
  function automatic logic [4:0] height_of(logic [2:0] fives);
    return fives == 3'd3 ? 5'd16 : fives == 3'd4 ? 5'd20 : 5'd10;
  endfunction

  function automatic logic [31:0] xmss_places_of(logic [2:0] fives);
    xmss_places_of = '0;
    for (int unsigned i = 0; i < 20; i++) xmss_places_of[i] = i < 32'(height_of(fives));
  endfunction

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

  // The chain of the message's last digit but one, and the last one of all, p - 1.
  function automatic logic [8:0] last_digit_but_one_of(logic n24, logic [1:0] log_w);
    unique case (log_w)
      2'd0: return n24 ? 9'd190 : 9'd254;
      2'd1: return n24 ? 9'd94 : 9'd126;
      2'd2: return n24 ? 9'd46 : 9'd62;
      default: return n24 ? 9'd22 : 9'd30;
    endcase
  endfunction

  function automatic logic [8:0] last_chain_of(logic n24, logic [1:0] log_w);
    unique case (log_w)
      2'd0: return n24 ? 9'd199 : 9'd264;
      2'd1: return n24 ? 9'd100 : 9'd132;
      2'd2: return n24 ? 9'd50 : 9'd66;
      default: return n24 ? 9'd25 : 9'd33;
    endcase
  endfunction

  // The last step of a chain, 2^w - 2.
  function automatic logic [7:0] last_step_of(logic [1:0] log_w);
    unique case (log_w)
      2'd0: return 8'h00;
      2'd1: return 8'h02;
      2'd2: return 8'h0e;
      default: return 8'hfe;
    endcase
  endfunction
endpackage

`default_nettype wire
