// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Takes a command through its states, from its first hash to its answer.
module xmss_sequencer
  import xmss_pkg::*;
  import xmss_control_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    // Commands and answers.
    input wire cmd_valid_i,
    input wire offer_t offer_i,
    input wire work_t work_i,
    input wire sure_i,  // a signature's index is that which is used up, in each of its copies
    input wire kind_t kind_i,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output answer_t rsp_o,
    // The stream.
    input wire stream_t stream_i,
    input wire item_valid_i,
    input wire item_last_i,  // of a key
    input wire item_hash_i,  // it is to be hashed
    input wire block_valid_i,
    input wire block_take_i,
    input wire block_last_i,
    // Hashes and nodes.
    input wire done_i,  // a hash has ended
    input wire climb_t climb_i,
    input wire side_ready_i,  // a node can be hashed
    input wire same_i,  // the root is the key's
    // Progress of the other modules.
    input wire wiping_i,
    input wire work_done_i,
    input wire tree_done_i,
    input wire out_done_i,
    output state_e state_o,
    output logic absorbing_o,  // the ends of the chains are hashed, not the message
    output logic last_o,  // the block that is hashed is the last one
    output logic finished_o,  // chains and nodes
    output logic prepared_o,  // CmdPrepare has ended
    output logic stop_o
);
  state_e state_q, next, after_wipe_q;
  // A verification is bad until its root has been compared. It is good where the comparison is good
  // twice: when the root is there, and while the answer is shown. Wiping makes the root and the
  // key's the same, zeros: a verification in which anything is wiped is never good.
  //
  // A due code reads the same when its bits are in the opposite order, a verdict's in either half
  // of it. A register that keeps its code takes its own bits in this order. So no two flip-flops
  // have the same next state, and a synthesizer does not make one of them.
  (* fsm_encoding = "none" *) verdict_e verdict_q;
  (* fsm_encoding = "none" *) due_e due_q;
  logic [7:0] turned, due_turned;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) {turned[i], due_turned[i]} = {verdict_q[i^3], due_q[i^7]};
  end
  status_e status;
  logic [7:0] verdict;
  logic good;
  logic [31:0] cycles_q;
  logic [2:0] settle_q;
  logic absorbing_q, block_last_q;
  assign state_o = state_q;
  assign absorbing_o = absorbing_q;
  assign last_o = block_last_q;
  assign rsp_valid_o = state_q == StAnswer;
  assign rsp_o = '{status: status, verdict: verdict, cycles: cycles_q};
  assign good = verdict_q == VerdictGood && due_q == DueRoot && same_i;
  always_comb begin
    status = StatusBad;
    if (verdict_q == VerdictError) status = StatusError;
    if (good || (verdict_q == VerdictGood && due_q == DueNothing)) status = StatusOk;
    verdict = VerdictBad;
    if (verdict_q == VerdictError) verdict = VerdictError;
    if (good) verdict = VerdictGood;
    if (due_q == DueNothing) verdict = VerdictNone;
  end

  wire  unused = &{offer_i.hashes, offer_i.fills, work_i.loads};

  // The last results have been written.
  logic settled;
  assign settled = settle_q == '1;
  assign finished_o = work_done_i && tree_done_i && settled;
  assign prepared_o = state_q == StSettle && settled;

  // A command ends early where the next one is offered, its stream is wrong, or its index is not
  // the one that was granted.
  logic yields, wrong, unsure, closed;
  assign closed = state_q inside {StWipe, StIdle, StRefuse, StAnswer};
  assign yields = work_i.yields && cmd_valid_i && state_q != StOutput;
  assign unsure = work_i.signs && !sure_i;
  assign wrong  = (yields || stream_i.error || unsure) && !closed;
  assign stop_o = wrong || (offer_i.accept && !offer_i.go);

  // Ways that several states share.
  state_e message, given;
  assign message = work_i.prepares ? StSettle : StBlock;
  assign given   = climb_i.top ? StOutput : StKeep;
  always_comb begin
    next = state_q;
    unique case (state_q)
      StWipe: if (!wiping_i) next = after_wipe_q;
      StItem:
      if (item_valid_i) begin
        if (item_last_i) next = StAnswer;
        else if (item_hash_i) next = StItemRaw;
      end
      StItemRaw: if (done_i) next = StItem;
      StRandom, StRandom2:
      if (done_i) begin
        if (kind_i.plain) next = message;
        else if (kind_i.n24 && state_q == StRandom) next = StRandom2;
        else next = StHead1;
      end
      StHead: if (item_valid_i) next = kind_i.plain ? StBlock : StHead1;
      StHead1: if (done_i) next = kind_i.n24 ? message : StHead2;
      StHead2: if (done_i) next = message;
      StBlock: if (block_valid_i) next = StBlockRaw;
      StBlockRaw:
      if (done_i) begin
        if (!block_last_q) next = block_valid_i ? StBlockRaw : StBlock;
        else if (absorbing_q) next = StLeaf;
        else if (work_i.signs) next = StOutput;
        else next = kind_i.lms ? StBlock : StWork;
      end
      StLeaf: if (done_i) next = work_i.leaf && climb_i.alone ? given : StSide;
      StSide: if (side_ready_i) next = StNode1;
      StNode1: if (done_i) next = StNode2;
      StNode2:
      if (done_i) begin
        if (!climb_i.ends) next = StSide;
        else next = work_i.leaf ? given : StJudge;
      end
      StKeep: next = kind_i.lms ? StBlock : StWork;
      StJudge: next = StAnswer;
      StWork: if (finished_o) next = work_i.leaf ? given : StAnswer;
      StSettle: if (settled) next = StAnswer;
      StOutput: if (out_done_i) next = StAnswer;
      StRefuse: if (stream_i.ended && settled) next = StAnswer;
      StAnswer: if (rsp_ready_i) next = StIdle;
      default: ;
    endcase
    if (offer_i.accept) next = offer_i.go ? offer_i.first : StRefuse;
    if (wrong) next = StRefuse;
    if (!rst_ni) next = StWipe;
  end

  logic wipes;
  assign wipes = offer_i.go && offer_i.first == StWipe;
  always_ff @(posedge clk_i) begin
    state_q <= next;
    if (wipes) after_wipe_q <= StAnswer;
    if (!rst_ni) after_wipe_q <= StIdle;

    if (state_q != StAnswer) cycles_q <= cycles_q + 32'd1;
    if (offer_i.accept) cycles_q <= 32'd2;

    if (!settled) settle_q <= settle_q + 3'd1;
    if (!work_done_i || offer_i.accept || state_q inside {StWipe, StKeep} || wrong) settle_q <= '0;

    verdict_q <= verdict_e'(turned);
    due_q <= due_e'(due_turned);
    if (due_q != DueNothing && (state_q == StJudge || (state_q == StWork && finished_o))) begin
      verdict_q <= same_i ? VerdictGood : VerdictBad;
    end
    if (wiping_i && due_q == DueRoot) due_q <= DueWiped;
    if (offer_i.accept) begin
      verdict_q <= !offer_i.go ? VerdictError : offer_i.judges ? VerdictBad : VerdictGood;
      due_q <= offer_i.judges ? DueRoot : DueNothing;
    end
    if (wrong) verdict_q <= VerdictError;

    if (block_take_i) block_last_q <= block_last_i;
    if (state_q == StBlockRaw && done_i && block_last_q) begin
      absorbing_q <= kind_i.lms && work_i.verifies && !absorbing_q;
    end
    if (offer_i.go || state_q == StKeep) absorbing_q <= kind_i.lms && offer_i.leaves;
    if (!rst_ni || wipes) {absorbing_q, block_last_q} <= '0;
    if (!rst_ni) begin
      {cycles_q, settle_q} <= '0;
      verdict_q <= VerdictBad;
      due_q <= DueRoot;
    end
  end
endmodule

`default_nettype wire
