// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Takes a verification through its states: which word of the stream is due, what it has to be, and
// what goes into the block.
module hbs_verify_control
  import hbs_verify_pkg::*;
#(
    parameter bit XMSS = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire cmd_hss_i,
    input wire cmd_xmss_i,
    input wire cmd_digest_i,
    input wire cmd_good_i,
    output logic accept_o,
    output logic refuse_o,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    // The stream.
    input wire in_valid_i,
    output logic in_ready_o,
    input wire in_last_i,
    input wire [31:0] word_i,
    output logic take_o,  // its word is taken, not of a state of XMSS
    // Key, number and length.
    input wire set_t set_i,
    input wire next_n24_i,  // the key that is signed has n = 24
    input wire [31:0] number_i,  // of the node in work
    input wire right_i,  // the node below stands right
    input wire message_none_i,
    input wire message_last_i,
    input wire [1:0] message_bytes_i,  // of its next word, 0 if all
    // XMSS, where it has a state of its own.
    output logic xmss_o,
    input wire xmss_due_i,
    input wire xmss_fits_i,
    input wire xmss_ends_i,
    input wire xmss_done_i,
    input wire xmss_head_i,
    input wire xmss_fault_i,
    // The rest.
    input wire bottom_i,
    input wire passes_i,
    input wire [4:0] fill_i,
    input wire [3:0] at_i,
    input wire block_done_i,
    input wire fetch_i,
    input wire push_value_i,
    input wire push_digest_i,
    input wire chains_done_i,
    output state_e state_o,
    output hash_e hash_o,
    output logic [3:0] count_o,  // words of the state that are done
    output logic load_o,  // a word of the digest becomes digits
    output logic given_o,  // it is the stream's
    output logic digest_o,  // the command gives the digest
    output logic swap_o,  // the key comes from the one that was signed
    output logic single_o,
    output logic wrong_o,
    output logic first_o,  // the next block begins a hash
    input wire block_ready_i,
    output logic push_o,
    output source_t source_o
);
  state_e state_q, next;
  hash_e hash_q, next_hash;
  logic [3:0] count_q, words;
  logic words_done;  // the state's last word
  logic hss_q, xmss, digest_q, swap_q, first_q, mark_q, padded_q, length_q;
  assign xmss_o = xmss;
  logic in_xmss;
  assign in_xmss = XMSS && state_q == StXmss;
  assign digest_o = digest_q;
  assign state_o = state_q;
  assign hash_o = hash_q;
  assign count_o = count_q;
  assign swap_o = swap_q;
  assign first_o = first_q;

  assign cmd_ready_o = state_q == StIdle;
  assign accept_o = cmd_valid_i && cmd_ready_o;
  assign refuse_o = accept_o && (!cmd_good_i || (cmd_xmss_i && (cmd_hss_i || !XMSS)));
  assign rsp_valid_o = state_q == StAnswer;

  // A word of the stream may be due.
  logic value_word, room, due, given;
  assign words = set_i.n24 ? 4'd6 : 4'd8;
  assign value_word = count_q < words;
  assign room = !fill_i[4];
  assign given = digest_q && bottom_i;
  always_comb begin
    unique case (state_q)
      StLevels, StTree, StOts, StSigned, StIndex, StSigOts, StSigTree, StDrain: due = 1'b1;
      StId: due = !swap_q;
      StRoot: due = !swap_q && value_word;
      StRandom, StSide: due = room;
      StMessage: due = room && !message_none_i;
      StDigest: due = given_o;
      StChains: due = fetch_i;
      default: due = 1'b0;
    endcase
  end
  logic takes;
  assign in_ready_o = due || (in_xmss && xmss_due_i);
  assign takes = in_ready_o && in_valid_i;
  assign given_o = given && value_word;
  assign load_o = state_q == StDigest && (in_valid_i || !given_o);
  assign take_o = due && in_valid_i;

  // The word has to be one of these. TLAST stands with the last one and no other.
  logic ends, root_next, fits;
  assign root_next = number_i == 32'd1;
  assign ends = (state_q == StSide && bottom_i && root_next && count_q == words - 4'd1) || (in_xmss && xmss_ends_i);
  always_comb begin
    unique case (state_q)
      StLevels: fits = word_i inside {32'd1, 32'd2};
      StTree: fits = xmss ? knows_xmss(word_i) : knows_tree(word_i);
      StOts: fits = ots_fits(word_i, set_i.n24);
      StSigned: fits = word_i == {31'd0, !bottom_i};
      StIndex: fits = (word_i & ~places_of(set_i.fives)) == '0;
      StSigOts: fits = word_i == {28'd0, ots_code(set_i.n24, set_i.log_w)};
      StSigTree: fits = word_i == {28'd0, tree_code(set_i.n24, set_i.fives)};
      StMessage: fits = bottom_i || (count_q == 4'd0 ? knows_tree(word_i) : count_q != 4'd1 || ots_fits(word_i, next_n24_i));
      default: fits = 1'b1;
    endcase
    if (in_xmss) fits = xmss_fits_i;
  end
  logic fault;
  assign fault = in_xmss && xmss_fault_i;
  assign wrong_o = (takes && state_q != StDrain && (!fits || in_last_i != ends)) || fault;
  assign single_o = take_o && state_q == StLevels && word_i == 32'd1;

  // The state's words: those of the stream, those that come by themselves, those of the block.
  logic moves, shifts;
  always_comb begin
    unique case (state_q)
      StId, StRoot, StDigest: moves = take_o || !due;
      StPrefix, StNode, StPad: moves = room;
      default: moves = take_o;
    endcase
  end
  always_comb begin
    unique case (state_q)
      StId: words_done = moves && count_q == 4'd3;
      StRoot, StDigest: words_done = moves && count_q == 4'd7;
      StPrefix: words_done = moves && count_q == 4'd4;
      StRandom, StSide, StNode: words_done = moves && count_q == words - 4'd1;
      StMessage: words_done = message_none_i || (moves && message_last_i);
      StPad: words_done = moves && length_q;
      StWait: words_done = block_done_i && fill_i == '0;
      StChains: words_done = chains_done_i;
      default: words_done = moves;
    endcase
    if (in_xmss) words_done = xmss_done_i;
  end

  // The padding: the mark where it did not stand with the message, zeros, the length.
  logic pads_length;
  assign pads_length = padded_q && !length_q && at_i == 4'd14;
  always_comb begin
    source_o = '0;
    unique case (state_q)
      StPrefix: {source_o.id, source_o.number} = {count_q != 4'd4, count_q == 4'd4};
      StRandom, StMessage, StSide: source_o.stream = 1'b1;
      StNode: source_o.digest = 1'b1;
      StChains: {source_o.value, source_o.digest} = {push_value_i, push_digest_i};
      StPad: {source_o.mark, source_o.high, source_o.low} = {mark_q && !padded_q, pads_length, length_q};
      default: ;
    endcase
  end
  assign shifts = state_q inside {StRandom, StMessage, StSide};
  assign push_o = (shifts && take_o) || (state_q inside {StPrefix, StNode, StPad} && room) || push_value_i || push_digest_i;

  always_comb begin
    next = state_q;
    next_hash = hash_q;
    if (words_done) begin
      unique case (state_q)
        StLevels: next = StTree;
        StTree: next = xmss ? StRoot : StOts;
        StOts: next = StId;
        StId: next = StRoot;
        StRoot: next = xmss ? StXmss : hss_q && !swap_q ? StSigned : StIndex;
        StSigned: next = StIndex;
        StIndex: next = StSigOts;
        StSigOts: begin
          next = given ? StDigest : StPrefix;
          next_hash = HashMessage;
        end
        StPrefix:
        unique case (hash_q)
          HashMessage: next = StRandom;
          HashEnds: next = StChains;
          HashLeaf: next = StNode;
          default: next = right_i ? StSide : StNode;
        endcase
        StRandom: next = StMessage;
        StMessage, StChains: next = StPad;
        StDigest: {next, next_hash} = {xmss ? StXmss : StPrefix, HashEnds};
        StSigTree: {next, next_hash} = {StPrefix, HashLeaf};
        StNode: next = hash_q == HashLeaf || right_i ? StPad : StSide;
        StSide: next = right_i ? StNode : StPad;
        StPad: next = StWait;
        StWait:
        unique case (hash_q)
          HashMessage: next = StDigest;
          HashEnds: next = StSigTree;
          HashLeaf: {next, next_hash} = {StPrefix, HashNode};
          default: next = root_next ? StJudge : StPrefix;
        endcase
        default: ;
      endcase
    end
    if (in_xmss && xmss_done_i) {next, next_hash} = {!xmss_head_i ? StJudge : digest_q ? StDigest : StMessage, HashMessage};
    if (state_q == StJudge) next = bottom_i ? StAnswer : passes_i ? StId : StDrain;
    if (state_q == StDrain && take_o && in_last_i) next = StAnswer;
    if (rsp_valid_o && rsp_ready_i) next = StIdle;
    if (wrong_o) next = in_last_i && !fault ? StAnswer : StDrain;
    if (accept_o) next = refuse_o ? StDrain : cmd_hss_i ? StLevels : StTree;
    if (!rst_ni) next = StIdle;
  end

  if (XMSS) begin : gen_xmss
    logic xmss_q;
    assign xmss = xmss_q;
    always_ff @(posedge clk_i) if (accept_o || !rst_ni) xmss_q <= rst_ni && cmd_xmss_i;
  end else begin : gen_lms
    assign xmss = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    state_q <= next;
    hash_q  <= next_hash;
    // The count tells only the first three words of a message apart.
    if (words_done || state_q inside {StIdle, StDrain, StAnswer}) count_q <= '0;
    else if (moves && !(state_q == StMessage && count_q == 4'd2)) count_q <= count_q + 4'd1;
    if (accept_o) {hss_q, digest_q, swap_q} <= {cmd_hss_i, cmd_digest_i, 1'b0};
    if (state_q == StJudge) swap_q <= 1'b1;
    if (state_q == StPrefix || in_xmss) {first_q, mark_q, padded_q, length_q} <= {!xmss, 3'b100};
    else begin
      if (block_ready_i) first_q <= 1'b0;
      // A word that is not whole has the mark; after a single byte it is in the block already.
      if (state_q == StMessage && words_done) begin
        mark_q   <= message_none_i || message_bytes_i == 2'd0;
        padded_q <= !message_none_i && (xmss ? message_bytes_i != 2'd0 : message_bytes_i == 2'd1);
      end
      if (state_q == StPad && room) {padded_q, length_q} <= {1'b1, pads_length};
    end
  end
endmodule

`default_nettype wire
