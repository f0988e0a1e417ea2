// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Takes XMSS through its hashes: RFC 8391, Algorithm 14 (XMSS_verify) from SEED on, but for the
// message itself. KEY and masks are made one after another, each where it is needed. A value that
// is masked waits for its mask; no word of the stream is waited for between a mask and its use, but
// of a left node, before whose mask the block does not fill.
module hbs_verify_xmss_control
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire active_i,
    input wire digest_i,  // the digest is given
    input wire n24_i,
    input wire in_valid_i,
    input wire stack_ready_i,
    // Where it is.
    input wire all_i,  // the chain is at its end
    input wire digit_all_i,  // the next one is, as it begins
    input wire tree_i,  // the node is the root of the L-tree
    input wire alone_i,  // it has no other beside it
    input wire right_i,  // it stands right
    input wire path_right_i,
    input wire top_i,  // the node above is the root
    // Blocks and compressions.
    input wire [4:0] fill_i,
    input wire [3:0] at_i,
    input wire prf_ready_i,  // the last block of a KEY or mask is taken
    input wire prf_done_i,
    input wire block_ready_i,
    input wire block_done_i,
    output xmss_state_e state_o,
    output job_e job_o,
    output logic [1:0] part_o,
    output logic [3:0] count_o,
    output logic moves_o,
    output logic leaves_o,  // with the state's last word
    output logic head_o,
    output logic first_o,
    output logic prf_o,
    output logic aside_o,
    output logic stack_o,  // the hash in work is the stack's
    output logic pop_o,  // of a node that comes back
    output logic early_o,  // the block may begin, for the rest of it comes without a gap
    output logic streams_o,  // the value that is masked is the stream's
    output logic beside_o  // it lies in the block
);
  xmss_state_e state_q, next;
  job_e job_q, next_job;
  logic [1:0] part_q;
  logic [3:0] count_q, last;
  logic headed_q, first_q, stack_q, pop_q, asked_q;
  logic node, room, leaves, moves;
  assign {state_o, job_o, part_o, count_o} = {state_q, job_q, part_q, count_q};
  assign {first_o, pop_o, head_o, moves_o, leaves_o} = {first_q || aside_o, pop_q, !headed_q, moves, leaves};
  assign stack_o = stack_q;
  assign aside_o = stack_q && state_q == XmWait;
  assign node = job_q inside {JobLeaf, JobPath};

  // A mask takes some cycles, so that what it is for is known a cycle late.
  logic stream_q, beside_q;
  assign streams_o = state_q == XmMask && stream_q;
  assign beside_o  = beside_q;
  always_ff @(posedge clk_i) begin
    stream_q <= job_q == JobPath && path_right_i && part_q == 2'd1;
    beside_q <= job_q == JobLeaf && part_q == 2'd1;
  end

  assign room  = !fill_i[4];
  assign prf_o = !asked_q && room && (state_q == XmPrf || (state_q == XmConst && (node || job_q == JobStep)));

  // Nothing that is waited for follows the KEY of n = 32, or a hash's last mask.
  logic last_mask;
  assign last_mask = job_q == JobStep || part_q == 2'd2;
  assign early_o   = (state_q == XmKey && !n24_i) || (state_q == XmMask && last_mask && fill_i[3:1] != '0);

  always_comb begin
    unique case (state_q)
      XmConst: last = n24_i ? 4'd0 : 4'd7;
      XmSeed, XmRandom, XmPlace, XmFetch, XmKey, XmMask: last = n24_i ? 4'd5 : 4'd7;
      XmRoot, XmKeep: last = 4'd7;
      XmPush, XmPop: last = 4'd15;
      default: last = 4'd0;
    endcase
    unique case (state_q)
      XmIdle: moves = active_i;
      XmSeed, XmRandom: moves = room && in_valid_i;
      XmIndex, XmFetch: moves = in_valid_i;
      XmConst, XmRoot, XmPlace, XmKey, XmPad: moves = room;
      XmMask: moves = room && (in_valid_i || !streams_o);
      XmPush, XmPop: moves = room && stack_ready_i;
      XmPrf: moves = prf_done_i;
      XmWait: moves = block_done_i && fill_i == '0;
      default: moves = 1'b1;
    endcase
  end
  assign leaves = moves && (state_q == XmPad ? at_i == 4'd15 : count_q == last);

  always_comb begin
    {next, next_job} = {state_q, job_q};
    unique case (state_q)
      XmIdle: {next, next_job} = headed_q ? {XmFetch, JobStep} : {n24_i ? XmSeed : XmConst, JobSeed};
      XmConst: next = job_q == JobSeed ? XmSeed : job_q == JobMessage ? XmRandom : XmPrf;
      XmSeed: next = n24_i ? XmIndex : XmWait;
      XmIndex: {next, next_job} = {digest_i ? XmDone : XmConst, JobMessage};
      XmRandom: next = XmRoot;
      XmRoot: next = XmPlace;
      XmPlace: next = XmDone;
      XmFetch: next = job_q == JobPath ? XmPrf : digit_all_i ? XmClimb : XmConst;
      XmPrf: next = part_q == '0 ? XmKey : XmMask;
      XmKey: next = job_q == JobLeaf && !n24_i ? XmPop : XmPrf;
      XmMask: begin
        if (last_mask) next = XmPad;
        else next = job_q == JobPath && !path_right_i ? XmFetch : XmPrf;
      end
      XmPad: next = XmWait;
      XmWait: next = job_q == JobPath && top_i ? XmDone : XmKeep;
      XmKeep: begin
        if (stack_q) {next, next_job} = pop_q ? {n24_i ? XmConst : XmPrf, JobLeaf} : {XmFetch, JobStep};
        else if (job_q == JobSeed) next = XmIndex;
        else next = job_q == JobPath || (job_q == JobStep && !all_i) ? XmConst : XmClimb;
      end
      XmClimb: begin
        if (tree_i) {next, next_job} = {XmConst, JobPath};
        else if (right_i) {next, next_job} = {n24_i ? XmPop : XmConst, JobLeaf};
        else next = alone_i ? XmClimb : XmPush;
      end
      XmPush, XmPop: next = XmWait;
      default: next = XmIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (leaves) {state_q, job_q} <= {next, next_job};
    if (leaves) count_q <= '0;
    else if (moves) count_q <= count_q + 4'(state_q != XmPad || count_q == '0);
    if (leaves && next == XmConst) {first_q, part_q} <= 3'b100;
    else begin
      if (block_ready_i && !aside_o) first_q <= 1'b0;
      if (leaves && (state_q == XmKey || state_q == XmMask)) part_q <= part_q + 2'd1;
    end
    if (leaves && (next == XmPush || next == XmPop)) {stack_q, pop_q} <= {1'b1, next == XmPop};
    else if (leaves && state_q == XmKeep) stack_q <= 1'b0;
    if (leaves && state_q == XmPrf) asked_q <= 1'b0;
    else if (prf_ready_i) asked_q <= 1'b1;
    if (state_q == XmDone) headed_q <= 1'b1;
    if (!rst_ni || !active_i) begin
      state_q <= XmIdle;
      {count_q, stack_q, asked_q} <= '0;
    end
    if (!rst_ni) headed_q <= 1'b0;
  end
endmodule

`default_nettype wire
