// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Commands: checks them, makes the midstates of the keys and the message's hash, and starts what the lanes do.
//
// Of XMSS it hashes the message; of LMS (RFC 8554) also the one-time public key, the leaf and the path, block by block.
//
// With SHAKE keys have no midstates, and what stands before a message is in its first block (xmss_shake_message).
module xmss_control
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit SHAKE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire command_t cmd_i,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output status_e rsp_status_o,
    output logic [31:0] rsp_cycles_o,
    // The stream.
    output logic refuse_o,
    input wire stream_ended_i,
    input wire stream_error_i,
    input wire item_valid_i,
    output logic item_ready_o,
    input wire [1:0] item_i,
    input wire state_t value_i,
    input wire block_valid_i,
    output logic block_ready_o,
    input wire block_first_i,
    input wire block_last_i,
    input wire block_t block_i,
    output logic absorb_o,  // the ends of the chains are to be hashed, one cycle
    output logic absorbing_o,
    input wire side_there_i,  // the value of `side_o` has come
    output slot_t side_o,  // the node beside the path
    output logic keep_node_o,  // a node waits for the one to its right: goes where the path's nodes are
    output slot_t keep_slot_o,
    output state_t keep_value_o,
    // The job of its own.
    output logic hashing_o,  // a message is being hashed
    output logic derive_o,  // it is a secret of LMS, of the chain's core
    output logic raw_o,
    output state_t raw_state_o,
    output block_t raw_block_o,
    input wire raw_done_i,
    input wire state_t raw_i,
    // What is started.
    output logic start_o,  // of a command
    output logic keep_o,  // with start_o: what was prepared is of use
    output logic stop_o,
    output logic wipe_o,
    input wire wiping_i,
    output logic seeds_o,
    output logic rows_o,
    output logic nodes_o,
    output logic tree_o,
    output logic path_o,
    output logic fly_o,
    output logic board_start_o,
    output logic whole_o,
    output logic verify_o,
    output logic out_sign_o,
    output logic out_leaf_o,
    input wire out_done_i,
    input wire work_done_i,  // nothing is under way and nothing waits
    input wire tree_done_i,
    input wire state_t root_i,  // slot 0, or of `side_o`
    output logic [31:0] index_o,
    output logic [4:0] height_o,
    output mode_e mode_o,
    output logic octets_o,
    output logic in_order_o,
    output logic [7:0] most_o,  // steps of a chain at a time
    output state_t seed_o,
    output state_t secret_o,
    output state_t pub_seed_o,
    output state_t pub_root_o,
    output state_t r_o,
    output state_t digest_o
);
  typedef enum logic [4:0] {
    StWipe,
    StIdle,
    StItem,
    StItemRaw,
    StRandom,
    StRandom2,
    StHead,
    StHead1,
    StHead2,
    StBlock,
    StBlockRaw,
    StLeaf,
    StSide,
    StNode1,
    StNode2,
    StKeep,
    StJudge,
    StWork,
    StSettle,
    StOutput,
    StRefuse,
    StAnswer
  } state_e;

  state_e state_q, after_wipe_q;
  command_e op_q;
  logic check_q, idle_q;
  status_e status_q;
  logic key_q, secret_key_q, prepared_q, prepared_check_q, fly_q;
  logic [31:0] index_q, next_q, prepared_index_q, cycles_q;
  logic [4:0] height_q, level_q, node_height_q;
  mode_e mode_q;
  logic octets_q, absorbing_q, n24, lms, plain;
  logic [20:0] above_q;  // the number of a node
  logic [1:0] settle_q;
  block_t block_q;
  logic block_first_q, block_last_q;
  state_t pub_seed_q, root_q, r_q, chain_q, seed_mid_q, prf_mid_q, secret_mid_q;

  // May this command run?
  logic accept, good, in_tree, height_good, reuse;
  assign cmd_ready_o = state_q == StIdle;
  assign accept = cmd_valid_i && cmd_ready_o;
  assign height_good = cmd_i.height != '0 && cmd_i.height <= 5'd20 && !(cmd_i.octets && !cmd_i.mode[1]);
  assign in_tree = (cmd_i.index >> height_q) == '0;
  always_comb begin
    unique case (cmd_i.op)
      CmdLoadKey, CmdLoadPublic: good = height_good;
      CmdPrepare: good = key_q && in_tree && (cmd_i.check || (secret_key_q && cmd_i.index >= next_q));
      CmdSign: good = secret_key_q && in_tree && cmd_i.index >= next_q;
      CmdVerify: good = key_q && in_tree;
      CmdLeaf: good = secret_key_q && in_tree;
      CmdNode: good = secret_key_q && cmd_i.height <= height_q && (cmd_i.index >> (height_q - cmd_i.height)) == '0;
      CmdClear: good = 1'b1;
      default: good = 1'b0;
    endcase
  end
  assign reuse = prepared_q && prepared_index_q == cmd_i.index &&
      ((cmd_i.op == CmdVerify && prepared_check_q) || (cmd_i.op == CmdSign && !prepared_check_q));

  logic signs, verifies, leaf, prepares;
  assign signs = op_q == CmdSign;
  assign verifies = op_q == CmdVerify;
  assign leaf = op_q inside {CmdLeaf, CmdNode};
  assign prepares = op_q == CmdPrepare;

  // The leaves of a node come one after the other. Behind leaf i stand as many nodes as i ends in ones: each of them has its left half
  // waiting in the path's slot of its height, and takes it as a path to the root does.
  logic go, another, leaf_starts, top, finished, same, path_ends;
  state_t root;
  logic [4:0] merges;
  logic [31:0] next_leaf, first_leaf;
  always_comb begin
    merges = 5'd20;
    for (int i = 19; i >= 0; i--) if (!index_q[i] || 5'(i) == node_height_q) merges = 5'(i);
  end
  assign top = merges == node_height_q;
  assign another = state_q == StKeep;
  assign next_leaf = index_q + 32'd1;
  assign first_leaf = cmd_i.op == CmdNode ? cmd_i.index << cmd_i.height : cmd_i.index;
  assign leaf_starts = another || (go && cmd_i.op inside {CmdLeaf, CmdNode});
  assign keep_node_o = another;
  assign keep_slot_o = slot_t'(Len) + slot_t'(merges);
  assign keep_value_o = root;

  // At the start of a command.
  logic fresh;
  assign go = accept && good;
  assign fresh = go && !reuse;
  assign refuse_o = !good;
  assign start_o = accept;
  assign keep_o = good && reuse;
  assign seeds_o = leaf_starts || (fresh && (cmd_i.op == CmdSign || (cmd_i.op == CmdPrepare && !cmd_i.check)));
  assign rows_o = go && cmd_i.op == CmdPrepare && !lms;
  assign nodes_o = !lms && (leaf_starts || (fresh && cmd_i.op == CmdVerify) || (go && cmd_i.op == CmdPrepare && cmd_i.check));
  assign tree_o = !lms && (leaf_starts || (go && cmd_i.op == CmdVerify));
  assign wipe_o = go && cmd_i.op == CmdClear;
  assign path_o = !leaf || merges != '0;
  assign fly_o = fly_q;
  assign verify_o = verifies;

  // The job of its own: which block of which message.
  logic [3:0] function_byte;
  logic load_secret, load_prf, load_seed;
  logic [1:0] item;  // as in CmdLoadKey
  assign item = op_q == CmdLoadPublic ? item_i + 2'd2 : lms && item_i != '0 ? item_i + 2'd1 : item_i;
  assign load_secret = item == 2'd0;
  assign load_prf = item == 2'd1;
  assign load_seed = item == 2'd2;
  assign function_byte = load_secret ? 4'd4 : 4'd3;

  // What LMS hashes begins with I, a number and a type; q is behind it.
  localparam word_t Mark = 32'h8000_0000;
  logic [16:0][31:0] q;
  logic [31:0][31:0] line;
  logic [15:0] kind;
  logic [31:0] number;
  state_t left, right;
  assign left  = above_q[0] ? root_i : r_q;
  assign right = above_q[0] ? r_q : root_i;
  always_comb begin
    {kind, number} = {absorbing_q ? 16'h8080 : 16'h8181, index_q};
    q = {288'd0, r_q};
    if (state_q == StLeaf) begin
      {kind, number} = {16'h8282, 11'd0, above_q};
      q = '0;
      if (n24) q[6:0] = {Mark, chain_q[5:0]};
      else q[8:0] = {Mark, chain_q};
    end
    if (state_q == StNode1 || state_q == StNode2) begin
      {kind, number} = {16'h8383, 12'd0, above_q[20:1]};
      q = '0;
      if (n24) q[12:0] = {Mark, right[5:0], left[5:0]};
      else q = {Mark, right, left};
    end
    line = '0;
    line[5:0] = {kind, q[0][31:16], number, pub_seed_q[3:0]};
    for (int unsigned i = 0; i < 16; i++) line[6+i] = {q[i][15:0], q[i+1][31:16]};
  end

  // The first block of a message, with what stands before it.
  block_t begun;
  always_comb begin
    begun = block_i;
    if (block_first_i && absorbing_q) begin
      begun[4:0] = line[4:0];
      begun[5][31:16] = line[5][31:16];
    end else if (block_first_i && lms) begin
      begun[10:0] = line[10:0];
      begun[11][31:16] = line[11][31:16];
      if (!n24) begin
        begun[12:11] = line[12:11];
        begun[13][31:16] = line[13][31:16];
      end
    end else if (block_first_i && n24) begin
      begun[2:0] = {index_q, 64'd0};
    end
  end

  state_t index_bytes;
  always_comb begin
    index_bytes = '0;
    index_bytes[7] = index_q;
  end
  always_comb begin
    raw_state_o = InitialState;
    raw_block_o = '0;
    unique case (state_q)
      StItemRaw:
      if (n24) raw_block_o[12:0] = {value_i[5:0], secret_mid_q[5:0], 32'd4};
      else raw_block_o = {value_i, {28'd0, function_byte}, 224'd0};
      StRandom:
      if (lms) begin
        raw_state_o = {64'd0, 32'hfffd_0000, index_q, pub_seed_q[3:0]};
        raw_block_o[15:8] = secret_mid_q;
      end else if (n24 && !SHAKE) begin
        raw_block_o = {Mark, index_bytes, prf_mid_q[5:0], 32'd3};
      end else begin
        raw_state_o = prf_mid_q;
        raw_block_o[7:0] = index_bytes;
        raw_block_o[8] = Mark;
        raw_block_o[15] = 32'd768;
      end
      StRandom2: begin
        raw_state_o = chain_q;
        raw_block_o[15] = 32'd480;
      end
      StHead1:
      if (n24) raw_block_o[12:0] = {root_q[5:0], r_q[5:0], 32'd2};
      else raw_block_o = {r_q, 32'd2, 224'd0};
      StLeaf: begin
        raw_block_o = line[15:0];
        raw_block_o[15] = n24 ? 32'd368 : 32'd432;
      end
      StNode1: raw_block_o = line[15:0];
      StNode2: begin
        raw_state_o = chain_q;
        raw_block_o = line[31:16];
        raw_block_o[15] = n24 ? 32'd560 : 32'd688;
      end
      StHead2: begin
        raw_state_o = chain_q;
        raw_block_o = {index_bytes, root_q};
      end
      default: begin
        if (!block_first_q || !(lms || absorbing_q)) raw_state_o = chain_q;
        raw_block_o = block_q;
      end
    endcase
  end

  logic wrong, gives_way, is_item, r_item, item_raw, hashed;
  assign gives_way = idle_q && cmd_valid_i && (prepares || leaf) && !(state_q inside {StWipe, StIdle, StOutput, StRefuse, StAnswer});
  assign wrong = gives_way || (stream_error_i && !(state_q inside {StWipe, StIdle, StRefuse, StAnswer}));
  assign is_item = op_q == CmdLoadKey || op_q == CmdLoadPublic;
  assign r_item = state_q == StHead && item_valid_i;
  assign item_raw = plain ? 1'b0 : n24 ? item == 2'd2 && op_q == CmdLoadKey : item != 2'd3;
  assign item_ready_o = is_item ? (state_q == StItemRaw && raw_done_i) || (state_q == StItem && !item_raw) : r_item;
  assign block_ready_o = state_q == StBlock || (state_q == StBlockRaw && raw_done_i && !block_last_q);
  assign hashing_o = state_q inside {StRandom, StRandom2, StHead, StHead1, StHead2, StBlock, StBlockRaw} && !absorbing_q;
  // The node above follows at once where the one beside it has come.
  logic side_ready, rises;
  assign rises = raw_done_i && (state_q == StNode2 ? !path_ends : state_q == StLeaf && (!leaf || merges != '0));
  assign side_ready = (state_q == StSide || rises) && side_there_i;
  assign hashed = state_q == StBlockRaw && raw_done_i && block_last_q;
  assign raw_o = (state_q == StItem && item_valid_i && item_raw) || (go && seeds_o && !leaf_starts) || (r_item && !plain) ||
      (raw_done_i && ((state_q == StRandom && !plain) || state_q == StRandom2 || (state_q == StHead1 && !n24) || state_q == StNode1)) ||
      (block_ready_o && block_valid_i) || (hashed && absorbing_q) || side_ready;
  assign board_start_o = (hashed && !absorbing_q) || leaf_starts;
  assign absorb_o = lms && ((hashed && !absorbing_q && verifies) || leaf_starts);
  assign absorbing_o = absorbing_q;
  assign derive_o = plain && state_q inside {StRandom, StIdle};
  assign side_o = lms ? slot_t'(Len) + slot_t'(level_q) + slot_t'(state_q == StNode2 && raw_done_i) : '0;
  assign whole_o = leaf_starts;
  assign out_sign_o = board_start_o && signs && !whole_o;
  assign out_leaf_o = leaf && top && ((state_q == StWork && finished) || (raw_done_i && (state_q == StNode2 ? path_ends : state_q == StLeaf && merges == '0)));
  assign stop_o = wrong || (accept && !good);

  assign root = lms ? r_q : root_i;
  assign same = root[5:0] == root_q[5:0] && (n24 || root[7:6] == root_q[7:6]);
  assign path_ends = level_q + 5'd1 == height_o;
  assign finished = work_done_i && tree_done_i && settle_q == 2'd3;

  assign rsp_valid_o = state_q == StAnswer;
  assign rsp_status_o = status_q;
  assign rsp_cycles_o = cycles_q;
  assign index_o = go ? first_leaf : another ? next_leaf : index_q;
  assign height_o = leaf ? merges : height_q;
  logic loads;
  assign loads = accept && (cmd_i.op == CmdLoadKey || cmd_i.op == CmdLoadPublic);
  assign mode_o = loads ? cmd_i.mode : mode_q;
  assign octets_o = loads ? cmd_i.octets : octets_q;
  assign n24 = mode_q == XmssN24 || mode_q == LmsN24;
  assign lms = mode_q[1];
  assign plain = lms || SHAKE;  // neither midstates nor blocks of its own before the message
  assign in_order_o = lms && !signs;
  assign most_o = lms ? 8'd4 : verifies && !fly_q ? 8'd255 : 8'd2;
  assign seed_o = seed_mid_q;
  assign secret_o = secret_mid_q;
  assign pub_seed_o = pub_seed_q;
  assign pub_root_o = root_q;
  assign r_o = state_q == StLeaf || state_q == StNode2 ? raw_i : r_q;
  assign digest_o = chain_q;

  always_ff @(posedge clk_i) begin
    if (state_q != StAnswer) cycles_q <= cycles_q + 32'd1;
    settle_q <= work_done_i ? (settle_q == 2'd3 ? 2'd3 : settle_q + 2'd1) : '0;
    unique case (state_q)
      StWipe:   if (!wiping_i) state_q <= after_wipe_q;
      StItem:
      if (item_valid_i) begin
        if (item == 2'd3) begin
          root_q <= value_i;
          key_q <= 1'b1;
          secret_key_q <= op_q == CmdLoadKey;
          state_q <= StAnswer;
        end else if (item_raw) begin
          state_q <= StItemRaw;
        end else begin
          if (load_secret) secret_mid_q <= value_i;
          if (load_prf) prf_mid_q <= value_i;
          if (load_seed) {seed_mid_q, pub_seed_q} <= {value_i, value_i};
        end
      end
      StItemRaw:
      if (raw_done_i) begin
        if (load_secret) secret_mid_q <= raw_i;
        if (load_prf) prf_mid_q <= raw_i;
        if (load_seed) begin
          seed_mid_q <= n24 ? value_i : raw_i;
          pub_seed_q <= value_i;
          if (n24) secret_mid_q <= raw_i;
        end
        state_q <= StItem;
      end
      StRandom, StRandom2:
      if (raw_done_i) begin
        r_q <= raw_i;
        chain_q <= raw_i;
        state_q <= n24 && !plain && state_q == StRandom ? StRandom2 : !plain ? StHead1 : prepares ? StSettle : StBlock;
      end
      StHead:
      if (item_valid_i) begin
        r_q <= value_i;
        state_q <= plain ? StBlock : StHead1;
      end
      StHead1:
      if (raw_done_i) begin
        chain_q <= raw_i;
        state_q <= !n24 ? StHead2 : prepares ? StSettle : StBlock;
      end
      StHead2:
      if (raw_done_i) begin
        chain_q <= raw_i;
        state_q <= prepares ? StSettle : StBlock;
      end
      StBlock:  if (block_valid_i) state_q <= StBlockRaw;
      StBlockRaw:
      if (raw_done_i) begin
        chain_q <= raw_i;
        if (block_last_q) absorbing_q <= lms && verifies && !absorbing_q;
        state_q <= !block_last_q ? (block_valid_i ? StBlockRaw : StBlock) : absorbing_q ? StLeaf : signs ? StOutput : lms ? StBlock : StWork;
      end
      StLeaf:
      if (raw_done_i) begin
        r_q <= raw_i;
        state_q <= leaf && merges == '0 ? (top ? StOutput : StKeep) : side_ready ? StNode1 : StSide;
      end
      StSide:   if (side_ready) state_q <= StNode1;
      StNode1:
      if (raw_done_i) begin
        chain_q <= raw_i;
        state_q <= StNode2;
      end
      StNode2:
      if (raw_done_i) begin
        r_q <= raw_i;
        above_q <= above_q >> 1;
        level_q <= level_q + 5'd1;
        state_q <= !path_ends ? (side_ready ? StNode1 : StSide) : !leaf ? StJudge : top ? StOutput : StKeep;
      end
      StJudge: begin
        state_q  <= StAnswer;
        status_q <= same ? StatusOk : StatusBad;
      end
      StWork:
      if (finished) begin
        state_q  <= !leaf ? StAnswer : top ? StOutput : StKeep;
        status_q <= leaf || same ? StatusOk : StatusBad;
      end
      StKeep: begin
        index_q <= next_leaf;
        level_q <= '0;
        above_q <= 21'(next_leaf) | 21'd1 << height_q;
        absorbing_q <= lms;
        settle_q <= '0;
        state_q <= lms ? StBlock : StWork;
      end
      StSettle:
      if (settle_q == 2'd3) begin
        prepared_q <= 1'b1;
        prepared_check_q <= check_q;
        prepared_index_q <= index_q;
        state_q <= StAnswer;
      end
      StOutput: if (out_done_i) state_q <= StAnswer;
      StRefuse: if (stream_ended_i && settle_q == 2'd3) state_q <= StAnswer;
      StAnswer: if (rsp_ready_i) state_q <= StIdle;
      default:  ;
    endcase

    if (block_ready_o && block_valid_i) begin
      block_q <= begun;
      block_first_q <= block_first_i;
      block_last_q <= block_last_i;
    end

    if (accept) begin
      op_q <= cmd_i.op;
      check_q <= cmd_i.check;
      idle_q <= cmd_i.idle;
      prepared_q <= 1'b0;
      cycles_q <= 32'd1;
      settle_q <= '0;
      status_q <= good ? StatusOk : StatusError;
      state_q <= StRefuse;
    end
    if (go) begin
      index_q <= first_leaf;
      node_height_q <= cmd_i.op == CmdNode ? cmd_i.height : '0;
      fly_q <= !reuse && !lms;
      level_q <= '0;
      above_q <= 21'(first_leaf) | 21'd1 << height_q;
      absorbing_q <= lms && leaf_starts;
      unique case (cmd_i.op)
        CmdLoadKey, CmdLoadPublic: begin
          height_q <= cmd_i.height;
          mode_q <= cmd_i.mode;
          octets_q <= cmd_i.octets;
          next_q <= cmd_i.index;
          key_q <= 1'b0;
          secret_key_q <= 1'b0;
          state_q <= StItem;
        end
        CmdPrepare: state_q <= cmd_i.check ? StSettle : StRandom;
        CmdSign: begin
          next_q  <= cmd_i.index + 32'd1;
          state_q <= reuse ? StBlock : StRandom;
        end
        CmdVerify: state_q <= StHead;
        CmdLeaf, CmdNode: state_q <= lms ? StBlock : StWork;
        default: begin
          state_q <= StWipe;
          after_wipe_q <= StAnswer;
        end
      endcase
    end
    if (wrong) begin
      state_q  <= StRefuse;
      status_q <= StatusError;
      settle_q <= '0;
    end
    if (!rst_ni) begin
      state_q <= StWipe;
      after_wipe_q <= StIdle;
    end
    if (go && loads) {prf_mid_q, secret_mid_q} <= '0;
    if (!rst_ni || wipe_o) begin
      {key_q, secret_key_q, prepared_q, mode_q, octets_q, absorbing_q} <= '0;
      {r_q, chain_q, seed_mid_q, prf_mid_q, secret_mid_q, pub_seed_q}  <= '0;
    end
  end
endmodule

`default_nettype wire
