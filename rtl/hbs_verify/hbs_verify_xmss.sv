// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// XMSS beside LMS: what it hashes but the message, and the stack of its L-tree, which lies outside.
//
// A digest of the stack is kept. A node that is pushed is hashed together with the digest of what
// lies below, and both go out, sixteen words; the digest of them takes the place of the one before.
// A node that comes back is hashed again, from the block's own copy, and has to give the digest
// that is kept. So who changes the stack's memory has the signature refused.
module hbs_verify_xmss
  import sha256_pkg::*;
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire active_i,
    input wire begins_i,  // the digest becomes digits, and the stack's digest with it
    input wire digest_given_i,
    input wire n24_i,
    input wire [2:0] fives_i,
    input wire in_valid_i,
    input wire [31:0] in_word_i,
    // Values of the core.
    input wire [31:0] root_word_i,
    input wire [31:0] index_i,
    input wire [31:0] seed_word_i,  // with n = 24
    input wire [31:0] stack_word_i,
    input wire [3:0] digit_i,
    input wire [31:0] value_i,
    input wire [31:0] digest_word_i,
    // Blocks and compressions.
    input wire [4:0] fill_i,
    input wire [3:0] at_i,
    input wire [31:0] block_word_i,
    input wire [31:0] beside_word_i,
    input wire feeds_step_i,
    input wire [3:0] slot_i,
    input wire step_ready_i,
    input wire step_done_i,
    input wire block_ready_i,
    input wire block_done_i,
    // The stack's memory: a word stands with `stack_ready_i`.
    output logic stack_valid_o,
    input wire stack_ready_i,
    output logic stack_write_o,
    output logic [6:0] stack_address_o,
    output logic [31:0] stack_data_o,
    input wire [31:0] stack_data_i,
    output xmss_t xmss_o
);
  xmss_state_e state;
  job_e job;
  logic [1:0] part;
  logic [3:0] count;
  logic moves, leaves, head, first, prf, aside, pops, streams, push;
  logic all, tree, alone, right, top, digit_ends, chain_begins, up, stacks, room, early, beside, second_q;
  logic [6:0] chain, node;
  logic [3:0] step;
  logic [4:0] level;
  logic [2:0] depth;
  logic n24, keeps, settled, value_word, value_last;
  logic [31:0] word, step_word;
  assign n24 = n24_i;
  assign value_word = count < (n24 ? 4'd6 : 4'd8);
  assign value_last = count == (n24 ? 4'd5 : 4'd7);
  assign keeps = state == XmKeep;
  assign room = !fill_i[4];

  hbs_verify_xmss_control u_control (
      .clk_i,
      .rst_ni,
      .active_i,
      .digest_i    (digest_given_i),
      .n24_i       (n24),
      .in_valid_i,
      .stack_ready_i,
      .all_i       (all),
      .digit_all_i (digit_i == '1),
      .tree_i      (tree),
      .alone_i     (alone),
      .right_i     (right),
      .path_right_i(index_i[0]),
      .top_i       (top),
      .fill_i,
      .at_i,
      .prf_ready_i (step_ready_i && (!n24 || second_q)),
      .prf_done_i  (step_done_i),
      .block_ready_i,
      .block_done_i,
      .state_o     (state),
      .job_o       (job),
      .part_o      (part),
      .count_o     (count),
      .moves_o     (moves),
      .leaves_o    (leaves),
      .head_o      (head),
      .first_o     (first),
      .prf_o       (prf),
      .aside_o     (aside),
      .stack_o     (stacks),
      .pop_o       (pops),
      .early_o     (early),
      .streams_o   (streams),
      .beside_o    (beside)
  );

  // A node goes up as it is kept, or where it has no other beside it.
  assign settled = keeps && leaves && !stacks;
  assign chain_begins = state == XmFetch && in_valid_i && value_last && job == JobStep;
  assign up = (settled && (job == JobLeaf || job == JobPath)) || (state == XmClimb && !tree && alone && !right);
  hbs_verify_xmss_place u_place (
      .clk_i,
      .rst_ni,
      .n24_i       (n24),
      .fives_i     (fives_i),
      .begin_i     (chain_begins),
      .digit_i,
      .step_i      (settled && job == JobStep),
      .up_i        (up),
      .path_i      (state == XmClimb && tree),
      .push_i      (keeps && leaves && stacks && !pops),
      .pop_i       (keeps && leaves && stacks && pops),
      .chain_o     (chain),
      .step_o      (step),
      .level_o     (level),
      .node_o      (node),
      .depth_o     (depth),
      .all_o       (all),
      .digit_ends_o(digit_ends),
      .tree_o      (tree),
      .alone_o     (alone),
      .right_o     (right),
      .top_o       (top)
  );

  // PRF: of two blocks the second one is asked for once the first one is taken, from slot 0 on.
  logic feeds_second, turn;
  assign feeds_second = n24 && (slot_i == '0 ? second_q : !second_q);
  always_ff @(posedge clk_i) second_q <= rst_ni && active_i && n24 && (second_q ^ step_ready_i);
  hbs_verify_xmss_prf u_prf (
      .n24_i   (n24),
      .second_i(feeds_second),
      .slot_i,
      .seed_i  (seed_word_i),
      .index_i,
      .place_i ('{job: job, part: part, chain: chain, step: step, level: level, node: node}),
      .turn_o  (turn),
      .word_o  (step_word)
  );

  hbs_verify_xmss_words u_words (
      .n24_i    (n24),
      .state_i  (state),
      .job_i    (job),
      .count_i  (count),
      .ends_i   (leaves),
      .streams_i(streams),
      .beside_i (beside),
      .stream_i (in_word_i),
      .root_i   (root_word_i),
      .index_i,
      .digest_i (digest_word_i),
      .value_i,
      .block_i  (beside_word_i),
      .stack_i  (stack_word_i),
      .popped_i (stack_data_i),
      .pushed_o (stack_data_o),
      .word_o   (word)
  );
  always_comb begin
    unique case (state)
      XmConst, XmRandom, XmPlace, XmKey, XmMask, XmPad, XmPush, XmPop: push = moves;
      XmSeed: push = moves && !n24;
      XmRoot: push = moves && value_word;
      default: push = 1'b0;
    endcase
  end
  // A digit is taken a cycle after its chain began; a fault is known a cycle late. The stack's
  // digest begins with words of this verification.
  logic digit_q, fault_q, begins_q, turn_q;
  always_ff @(posedge clk_i) begin
    begins_q <= begins_i;
    turn_q   <= xmss_o.turn;
    digit_q  <= chain_begins;
    fault_q  <= active_i && keeps && stacks && pops && stack_word_i != digest_word_i;
  end

  // The stack.
  assign stack_valid_o   = state inside {XmPush, XmPop} && room;
  assign stack_write_o   = state == XmPush;
  assign stack_address_o = {depth - 3'(state == XmPop), count};

  always_comb begin
    xmss_o = '0;
    unique case (state)
      XmSeed, XmRandom: xmss_o.due = room;
      XmIndex, XmFetch: xmss_o.due = 1'b1;
      XmMask: xmss_o.due = streams && room;
      default: ;
    endcase
    xmss_o.fits = state != XmIndex || (in_word_i & ~xmss_places_of(fives_i)) == '0;
    xmss_o.ends = job == JobPath && top && (state == XmFetch || streams) && value_last;
    xmss_o.done = state == XmDone;
    xmss_o.head = head;
    xmss_o.fault = fault_q;
    xmss_o.begins = turn_q;
    xmss_o.index = state == XmIndex;
    xmss_o.up = settled && job == JobPath;
    xmss_o.turn = state == XmRoot && room;
    xmss_o.seed = (state == XmSeed && in_valid_i && room && n24) || (keeps && job == JobSeed) || (feeds_step_i && turn);
    xmss_o.seed_word = state == XmSeed ? in_word_i : keeps ? digest_word_i : seed_word_i;
    xmss_o.shelf = begins_q || (keeps && stacks) || (state == XmPush && room && stack_ready_i && !count[3]);
    xmss_o.shelf_word = begins_q || (keeps && !pops) ? digest_word_i : keeps ? block_word_i : stack_word_i;
    xmss_o.value_push = (state == XmFetch && in_valid_i) || (keeps && !stacks && job != JobSeed && value_word);
    xmss_o.value_pop = room && ((state == XmMask && !streams && !beside) || (state == XmPush && stack_ready_i && count[3] && (!n24 || count < 4'd14)));
    xmss_o.value_digest = keeps;
    xmss_o.digit = digit_q;
    xmss_o.digit_ends = digit_ends;
    xmss_o.step = prf;
    xmss_o.state = !n24;
    xmss_o.more = second_q;
    xmss_o.step_word = step_word;
    xmss_o.first = first;
    xmss_o.aside = aside;
    xmss_o.early = early;
    xmss_o.push = push;
    xmss_o.word = word;
    xmss_o.at = 3'(count);
    xmss_o.slot = keeps ? count[2:0] : '0;
  end
endmodule

`default_nettype wire
