// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Commands: checks them, makes the midstates of the keys and the message's hash, and starts what the lanes do.
module xmss_control
  import sha256_pkg::*;
  import xmss_pkg::*;
(
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
    input wire block_last_i,
    input wire block_t block_i,
    // The job of its own.
    output logic hashing_o,  // a message is being hashed
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
    input wire state_t root_i,  // slot 0
    output logic [31:0] index_o,
    output logic [4:0] height_o,
    output state_t seed_o,
    output state_t secret_o,
    output state_t pub_seed_o,
    output state_t r_o,
    output state_t digest_o
);
  typedef enum logic [3:0] {
    StWipe,
    StIdle,
    StItem,
    StItemRaw,
    StRandom,
    StHead,
    StHead1,
    StHead2,
    StBlock,
    StBlockRaw,
    StWork,
    StSettle,
    StOutput,
    StRefuse,
    StAnswer
  } state_e;

  state_e state_q, after_wipe_q;
  command_e op_q;
  logic check_q;
  status_e status_q;
  logic key_q, secret_key_q, prepared_q, prepared_check_q, fly_q;
  logic [31:0] index_q, next_q, prepared_index_q, cycles_q;
  logic [4:0] height_q;
  logic [1:0] settle_q;
  block_t block_q;
  logic block_last_q;
  state_t pub_seed_q, root_q, r_q, chain_q, seed_mid_q, prf_mid_q, secret_mid_q;

  // May this command run?
  logic accept, good, in_tree, height_good, reuse;
  assign cmd_ready_o = state_q == StIdle;
  assign accept = cmd_valid_i && cmd_ready_o;
  assign height_good = cmd_i.height != '0 && cmd_i.height <= 5'd20;
  assign in_tree = (cmd_i.index >> height_q) == '0;
  always_comb begin
    unique case (cmd_i.op)
      CmdLoadKey, CmdLoadPublic: good = height_good;
      CmdPrepare: good = key_q && in_tree && (cmd_i.check || (secret_key_q && cmd_i.index >= next_q));
      CmdSign: good = secret_key_q && in_tree && cmd_i.index >= next_q;
      CmdVerify: good = key_q && in_tree;
      CmdLeaf: good = secret_key_q && in_tree;
      CmdClear: good = 1'b1;
      default: good = 1'b0;
    endcase
  end
  assign reuse = prepared_q && prepared_index_q == cmd_i.index &&
      ((cmd_i.op == CmdVerify && prepared_check_q) || (cmd_i.op == CmdSign && !prepared_check_q));

  logic signs, verifies, leaf, prepares;
  assign signs = op_q == CmdSign;
  assign verifies = op_q == CmdVerify;
  assign leaf = op_q == CmdLeaf;
  assign prepares = op_q == CmdPrepare;

  // At the start of a command.
  logic go, fresh;
  assign go = accept && good;
  assign fresh = go && !reuse;
  assign refuse_o = !good;
  assign start_o = accept;
  assign keep_o = good && reuse;
  assign seeds_o = fresh && (cmd_i.op == CmdSign || cmd_i.op == CmdLeaf || (cmd_i.op == CmdPrepare && !cmd_i.check));
  assign rows_o = go && cmd_i.op == CmdPrepare;
  assign nodes_o = (fresh && cmd_i.op == CmdVerify) || (go && (cmd_i.op == CmdLeaf || (cmd_i.op == CmdPrepare && cmd_i.check)));
  assign tree_o = go && (cmd_i.op == CmdVerify || cmd_i.op == CmdLeaf);
  assign wipe_o = go && cmd_i.op == CmdClear;
  assign path_o = !leaf;
  assign fly_o = fly_q;
  assign verify_o = verifies;

  // The job of its own: which block of which message.
  logic [3:0] function_byte;
  logic load_secret, load_prf, load_seed;
  logic [1:0] item;  // as in CmdLoadKey
  assign item = op_q == CmdLoadPublic ? item_i + 2'd2 : item_i;
  assign load_secret = item == 2'd0;
  assign load_prf = item == 2'd1;
  assign load_seed = item == 2'd2;
  assign function_byte = load_secret ? 4'd4 : 4'd3;

  state_t index_bytes;
  always_comb begin
    index_bytes = '0;
    index_bytes[7] = index_q;
  end
  always_comb begin
    raw_state_o = InitialState;
    raw_block_o = '0;
    unique case (state_q)
      StItemRaw: raw_block_o = {value_i, {28'd0, function_byte}, 224'd0};
      StRandom: begin
        raw_state_o = prf_mid_q;
        raw_block_o[7:0] = index_bytes;
        raw_block_o[8] = 32'h8000_0000;
        raw_block_o[15] = 32'd768;
      end
      StHead1:   raw_block_o = {r_q, 32'd2, 224'd0};
      StHead2: begin
        raw_state_o = chain_q;
        raw_block_o = {index_bytes, root_q};
      end
      default: begin
        raw_state_o = chain_q;
        raw_block_o = block_q;
      end
    endcase
  end

  logic wrong, is_item, r_item;
  assign wrong = stream_error_i && !(state_q inside {StWipe, StIdle, StRefuse, StAnswer});
  assign is_item = op_q == CmdLoadKey || op_q == CmdLoadPublic;
  assign r_item = state_q == StHead && item_valid_i;
  assign item_ready_o = is_item ? (state_q == StItemRaw && raw_done_i) || (state_q == StItem && item == 2'd3) : r_item;
  assign block_ready_o = state_q == StBlock;
  assign hashing_o = state_q inside {StRandom, StHead, StHead1, StHead2, StBlock, StBlockRaw};
  assign raw_o = (state_q == StItem && item_valid_i && item != 2'd3) || (go && seeds_o && cmd_i.op != CmdLeaf) ||
      r_item || (state_q == StRandom && raw_done_i) || (state_q == StHead1 && raw_done_i) || (state_q == StBlock && block_valid_i);
  assign board_start_o = (state_q == StBlockRaw && raw_done_i && block_last_q) || (go && cmd_i.op == CmdLeaf);
  assign whole_o = go && cmd_i.op == CmdLeaf;
  assign out_sign_o = board_start_o && signs && !whole_o;
  assign out_leaf_o = state_q == StWork && leaf && finished;
  assign stop_o = wrong || (accept && !good);

  logic finished;
  assign finished = work_done_i && tree_done_i && settle_q == 2'd3;

  assign rsp_valid_o = state_q == StAnswer;
  assign rsp_status_o = status_q;
  assign rsp_cycles_o = cycles_q;
  assign index_o = go ? cmd_i.index : index_q;
  assign height_o = height_q;
  assign seed_o = seed_mid_q;
  assign secret_o = secret_mid_q;
  assign pub_seed_o = pub_seed_q;
  assign r_o = r_q;
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
        end else begin
          state_q <= StItemRaw;
        end
      end
      StItemRaw:
      if (raw_done_i) begin
        if (load_secret) secret_mid_q <= raw_i;
        if (load_prf) prf_mid_q <= raw_i;
        if (load_seed) begin
          seed_mid_q <= raw_i;
          pub_seed_q <= value_i;
        end
        state_q <= StItem;
      end
      StRandom:
      if (raw_done_i) begin
        r_q <= raw_i;
        state_q <= StHead1;
      end
      StHead:
      if (item_valid_i) begin
        r_q <= value_i;
        state_q <= StHead1;
      end
      StHead1:
      if (raw_done_i) begin
        chain_q <= raw_i;
        state_q <= StHead2;
      end
      StHead2:
      if (raw_done_i) begin
        chain_q <= raw_i;
        state_q <= prepares ? StSettle : StBlock;
      end
      StBlock:
      if (block_valid_i) begin
        block_q <= block_i;
        block_last_q <= block_last_i;
        state_q <= StBlockRaw;
      end
      StBlockRaw:
      if (raw_done_i) begin
        chain_q <= raw_i;
        state_q <= !block_last_q ? StBlock : signs ? StOutput : StWork;
      end
      StWork:
      if (finished) begin
        state_q  <= leaf ? StOutput : StAnswer;
        status_q <= leaf || root_i == root_q ? StatusOk : StatusBad;
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

    if (accept) begin
      op_q <= cmd_i.op;
      check_q <= cmd_i.check;
      prepared_q <= 1'b0;
      cycles_q <= 32'd1;
      settle_q <= '0;
      status_q <= good ? StatusOk : StatusError;
      state_q <= StRefuse;
    end
    if (go) begin
      index_q <= cmd_i.index;
      fly_q   <= !reuse;
      unique case (cmd_i.op)
        CmdLoadKey, CmdLoadPublic: begin
          height_q <= cmd_i.height;
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
        CmdLeaf: state_q <= StWork;
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
    if (go && cmd_i.op == CmdLoadPublic) {prf_mid_q, secret_mid_q} <= '0;
    if (!rst_ni || wipe_o) begin
      {key_q, secret_key_q, prepared_q} <= '0;
      {r_q, chain_q, seed_mid_q, prf_mid_q, secret_mid_q, pub_seed_q} <= '0;
    end
  end
endmodule

`default_nettype wire
