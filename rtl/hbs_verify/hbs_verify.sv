// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Verifies signatures of LMS, of HSS with two levels (RFC 8554, SP 800-208), and where `XMSS` is 1
// of XMSS (RFC 8391), with SHA-256 and SHA-256/192, from one stream: the public key, the signature
// up to the randomizer, the message, the rest of the signature. Nothing of a verification remains
// for the next one.
//
// The stack of XMSS' L-tree lies outside, in 96 words of any memory: a word is read or written in
// the cycle with `stack_ready_i`. Who changes them has the signature refused.
//
// Each word of the stream has four bytes, the first one in the low bits. All ports are synchronous
// to `clk_i`.
module hbs_verify
  import sha256_pkg::*;
  import hbs_verify_pkg::*;
#(
    parameter bit XMSS = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire cmd_hss_i,  // the key is one of HSS
    input wire cmd_xmss_i,  // it is one of XMSS: refused without `XMSS`
    input wire cmd_digest_i,  // the digest is given, in place of randomizer and message
    input wire [63:0] cmd_length_i,  // bytes of the message, below 2^60
    input wire in_valid_i,
    output logic in_ready_o,
    input wire [31:0] in_data_i,
    input wire in_last_i,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output logic [7:0] rsp_verdict_o,  // good 96, bad 69, refused 0f, in hexadecimal
    output logic stack_valid_o,  // a word of the stack, until `stack_ready_i`
    input wire stack_ready_i,
    output logic stack_write_o,
    output logic [6:0] stack_address_o,  // of words
    output logic [31:0] stack_data_o,
    input wire [31:0] stack_data_i  // with `stack_ready_i`
);
  // Between two verifications nothing is held.
  state_e state;
  logic   holds_n;
  assign holds_n = rst_ni && state != StIdle;

  hash_e hash;
  source_t source;
  set_t set;
  logic accept, refuse, take, swap, single, wrong, bottom, passes, same, next_n24;
  logic message_none, message_last, push, first, digits_load, digest_given;
  logic [1:0] message_bytes;
  logic [3:0] count, at, slot;
  logic [4:0] fill;
  logic [31:0] word, number, beside;
  logic right_q;
  assign word = {in_data_i[7:0], in_data_i[15:8], in_data_i[23:16], in_data_i[31:24]};

  logic step_valid, step_ready, step_done, block_ready, block_done, feeds_step, feeds_block, chain_busy;
  logic take_digit, last_digit, value_there, value_empty, fetch, step_first, step_value;
  logic push_value, push_digest, chains_done;
  logic [7:0] digit, steps, step;
  logic [8:0] chain;
  logic [2:0] end_word;

  xmss_t x;
  logic xmss, in_xmss, digest_asked;
  assign in_xmss = XMSS && state == StXmss;

  hbs_verify_control #(
      .XMSS(XMSS)
  ) u_control (
      .clk_i,
      .rst_ni,
      .cmd_valid_i,
      .cmd_ready_o,
      .cmd_hss_i,
      .cmd_xmss_i,
      .cmd_digest_i,
      .cmd_good_i     (cmd_length_i[63:60] == '0),
      .accept_o       (accept),
      .refuse_o       (refuse),
      .rsp_valid_o,
      .rsp_ready_i,
      .in_valid_i,
      .in_ready_o,
      .in_last_i,
      .word_i         (word),
      .take_o         (take),
      .set_i          (set),
      .next_n24_i     (next_n24),
      .number_i       (number),
      .right_i        (right_q),
      .message_none_i (message_none),
      .message_last_i (message_last),
      .message_bytes_i(message_bytes),
      .xmss_o         (xmss),
      .xmss_due_i     (x.due),
      .xmss_fits_i    (x.fits),
      .xmss_ends_i    (x.ends),
      .xmss_done_i    (x.done),
      .xmss_head_i    (x.head),
      .xmss_fault_i   (x.fault),
      .bottom_i       (bottom),
      .passes_i       (passes),
      .fill_i         (fill),
      .at_i           (at),
      .block_done_i   (block_done),
      .fetch_i        (fetch),
      .push_value_i   (push_value),
      .push_digest_i  (push_digest),
      .chains_done_i  (chains_done),
      .state_o        (state),
      .hash_o         (hash),
      .count_o        (count),
      .load_o         (digits_load),
      .given_o        (digest_given),
      .digest_o       (digest_asked),
      .swap_o         (swap),
      .single_o       (single),
      .wrong_o        (wrong),
      .first_o        (first),
      .block_ready_i  (block_ready),
      .push_o         (push),
      .source_o       (source)
  );

  hbs_verify_verdict u_verdict (
      .clk_i,
      .rst_ni,
      .accept_i (accept),
      .levels_i (cmd_hss_i),
      .single_i (single),
      .judge_i  (state == StJudge),
      .same_i   (same),
      .wrong_i  (wrong || refuse),
      .bottom_o (bottom),
      .passes_o (passes),
      .verdict_o(rsp_verdict_o)
  );

  // The key, and where the path is: q, then the number of a leaf or node (RFC 8554, Section 5.3
  // (LMS Public Key)).
  logic key_word, root_due, next_word;
  logic [3:0][31:0] id;
  logic [31:0] next, id_word;
  logic [25:0] number_q;
  // A node has half the number of those below it, of which the lowest bit tells right from left.
  logic rises;
  assign rises = state == StWait && block_done && fill == '0 && hash inside {HashLeaf, HashNode};
  state_t digest;
  // Words of a key are taken where they stand, so that `take` does not lead to its registers.
  assign next_word = state == StMessage && !bottom;
  assign key_word  = state == StId && (in_valid_i || swap);
  assign root_due  = state == StRoot && (in_valid_i || swap || count >= (set.n24 ? 4'd6 : 4'd8));
  state_t seed;
  logic [31:0] root_word;
  hbs_verify_key u_key (
      .clk_i,
      .xmss_i      (xmss),
      .tree_i      (take && (state == StTree || (next_word && count == 4'd0))),
      .ots_i       (take && (state == StOts || (next_word && count == 4'd1))),
      .id_i        (key_word || (next_word && in_valid_i && !fill[4] && !message_none && count == 4'd2)),
      .root_i      (root_due),
      .next_i      (next_word),
      .swap_i      (passes),
      .pop_i       (swap && (state == StId || state == StRoot)),
      .lead_i      (next_n24 && !bottom && ((take && state == StSigTree) || state == StJudge)),
      .word_i      (swap ? next : word),
      .turn_i      (x.turn),
      .seed_i      (x.seed),
      .seed_word_i (x.seed_word),
      .stack_i     (x.shelf),
      .stack_word_i(x.shelf_word),
      .seed_o      (seed),
      .root_word_o (root_word),
      .next_o      (next),
      .next_n24_o  (next_n24),
      .set_o       (set),
      .id_o        (id),
      .digest_i    (digest),
      .same_o      (same)
  );
  always_ff @(posedge clk_i) begin
    // These words are due as soon as they come.
    if (in_valid_i && (state == StIndex || x.index)) number_q <= word[25:0];
    if (in_valid_i && state == StSigTree) number_q <= number_q | 26'(leaves_of(set.fives));
    if (rises || x.up) {number_q, right_q} <= {1'b0, number_q};
  end
  assign number = {6'd0, number_q};

  logic [63:0] bits;
  hbs_verify_length u_length (
      .clk_i,
      .xmss_i    (xmss),
      .load_i    (accept),
      .length_i  (cmd_length_i[59:0]),
      .start_i   (state == StRandom || x.begins),
      .bottom_i  (bottom),
      .next_n24_i(next_n24),
      .word_i    (take && state == StMessage),
      .n24_i     (set.n24),
      .clear_i   (accept || state == StWait),
      .push_i    (push && state != StPad),
      .none_o    (message_none),
      .bytes_o   (message_bytes),
      .last_o    (message_last),
      .bits_o    (bits)
  );

  // Digits and chains.
  logic [31:0] value, digest_word, step_word, block_word, pushed;
  hbs_verify_digits u_digits (
      .clk_i,
      .rst_ni (holds_n),
      .n24_i  (set.n24),
      .log_w_i(set.log_w),
      .load_i (digits_load),
      .word_i (digest_given ? word : digest_word),
      .take_i (take_digit || x.digit),
      .ends_i (last_digit || (x.digit && x.digit_ends)),
      .digit_o(digit),
      .steps_o(steps)
  );
  hbs_verify_value u_value (
      .clk_i,
      .rst_ni (holds_n),
      .n24_i  (set.n24),
      .push_i (x.value_push || (take && state == StChains)),
      .word_i (x.value_digest ? digest_word : word),
      .pop_i  (push_value || x.value_pop || (feeds_step && step_first && step_value && !xmss)),
      .there_o(value_there),
      .empty_o(value_empty),
      .word_o (value)
  );
  hbs_verify_chains u_chains (
      .clk_i,
      .rst_ni       (holds_n),
      .start_i      (state == StPrefix),
      .active_i     (state == StChains),
      .n24_i        (set.n24),
      .log_w_i      (set.log_w),
      .digit_i      (digit),
      .steps_i      (steps),
      .take_o       (take_digit),
      .ends_o       (last_digit),
      .value_there_i(value_there),
      .value_empty_i(value_empty),
      .fetch_o      (fetch),
      .busy_o       (chain_busy),
      .step_valid_o (step_valid),
      .step_ready_i (step_ready),
      .step_done_i  (step_done),
      .first_o      (step_first),
      .chain_o      (chain),
      .step_o       (step),
      .fill_i       (fill),
      .push_value_o (push_value),
      .push_digest_o(push_digest),
      .word_o       (end_word),
      .done_o       (chains_done)
  );

  // Words of the hash's block, and of a step.
  logic [2:0] digest_at;
  assign digest_at   = in_xmss ? x.at : push_digest ? end_word : state == StChains ? 3'(slot - 4'd5) : 3'(count);
  assign digest_word = digest[digest_at];
  assign id_word     = id[state==StPrefix?count[1:0] : slot[1:0]];
  hbs_verify_words u_words (
      .clk_i,
      .xmss_i  (xmss),
      .source_i(source),
      .push_i  (push),
      .hash_i  (hash),
      .bytes_i (state == StMessage ? message_bytes : 2'd0),
      .id_i    (id_word),
      .number_i(number),
      .stream_i(word),
      .value_i (value),
      .digest_i(digest_word),
      .bits_i  (bits),
      .word_o  (pushed)
  );
  hbs_verify_blocks u_blocks (
      .clk_i,
      .rst_ni (holds_n),
      .push_i (push || x.push),
      .word_i (x.word | pushed),
      .at_o   (at),
      .fill_o (fill),
      .read_i (feeds_block),
      .place_i(x.slot),
      .n24_i(set.n24),
      .beside_o(beside),
      .word_o (block_word)
  );
  hbs_verify_step u_step (
      .clk_i,
      .n24_i   (set.n24),
      .slot_i  (slot),
      .id_i    (id_word),
      .number_i(number),
      .chain_i (chain),
      .step_i  (step),
      .value_i (step_first ? value : digest_word),
      .word_o  (step_word),
      .value_o (step_value)
  );
  hbs_verify_compress #(
      .XMSS(XMSS)
  ) u_compress (
      .clk_i,
      .rst_ni       (holds_n),
      .step_valid_i (step_valid || x.step),
      .step_ready_o (step_ready),
      .step_done_o  (step_done),
      .step_state_i (x.state && xmss),
      .step_more_i  (x.more),
      .state_i      (seed),
      .block_valid_i((fill[4] && !chain_busy) || x.early),
      .block_first_i(in_xmss ? x.first : first),
      .block_aside_i(x.aside),
      .block_ready_o(block_ready),
      .block_done_o (block_done),
      .feeds_step_o (feeds_step),
      .feeds_block_o(feeds_block),
      .slot_o       (slot),
      .step_word_i  (xmss ? x.step_word : step_word),
      .block_word_i (block_word),
      .digest_o     (digest)
  );

  if (XMSS) begin : gen_xmss
    hbs_verify_xmss u_xmss (
        .clk_i,
        .rst_ni        (holds_n),
        .active_i      (in_xmss),
        .begins_i      (digits_load && xmss),
        .digest_given_i(digest_asked),
        .n24_i         (set.n24),
        .fives_i       (set.fives),
        .in_valid_i,
        .in_word_i     (word),
        .root_word_i   (root_word),
        .index_i       (number),
        .seed_word_i   (seed[2]),
        .stack_word_i  (id[0]),
        .digit_i       (digit[3:0]),
        .value_i       (value),
        .digest_word_i (digest_word),
        .fill_i        (fill),
        .at_i          (at),
        .block_word_i  (block_word),
        .beside_word_i (beside),
        .feeds_step_i  (feeds_step),
        .slot_i        (slot),
        .step_ready_i  (step_ready),
        .step_done_i   (step_done),
        .block_ready_i (block_ready),
        .block_done_i  (block_done),
        .stack_valid_o,
        .stack_ready_i,
        .stack_write_o,
        .stack_address_o,
        .stack_data_o,
        .stack_data_i,
        .xmss_o        (x)
    );
  end else begin : gen_lms
    assign x = '0;
    assign {stack_valid_o, stack_write_o, stack_address_o, stack_data_o} = '0;
    wire unused = &{stack_ready_i, stack_data_i, digest_asked, root_word, beside};
  end
endmodule

`default_nettype wire
