// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Signs and verifies with XMSS-SHA2_h_256 and _192 (RFC 8391, SP 800-208) and LMS_SHA256_M32 and
// M24 with w = 4 and 8 (RFC 8554) on CORES chain cores, prepared or from nothing. CORES * UNROLL is
// at most 32.
//
// With SHAKE it is for XMSS-SHAKE_h_256, XMSS-SHAKE256_h_192 and XMSS-SHAKE256_h_256 (modes 0 to 2)
// on one Keccak core of UNROLL rounds a cycle, which is CORES = 2 UNROLL lanes.
//
// Commands, their streams and answers: README.md. Bus-free: every port is valid/ready.
module xmss_engine
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_hash_pkg::*;
#(
    parameter int unsigned CORES  = 4,
    parameter int unsigned UNROLL = 1,
    parameter bit          SHAKE  = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire [3:0] cmd_op_i,
    input wire cmd_check_i,
    input wire cmd_idle_i,
    input wire [1:0] cmd_mode_i,
    input wire cmd_octets_i,
    input wire [4:0] cmd_height_i,
    input wire [31:0] cmd_index_i,
    input wire [15:0] cmd_length_i,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire [63:0] in_data_i,
    input wire in_last_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output logic [63:0] out_data_o,
    output logic [6:0] out_slot_o,
    output logic out_last_o,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output logic [1:0] rsp_status_o,
    output logic [31:0] rsp_cycles_o
);
  command_t cmd;
  assign cmd = '{
          op: command_e'(cmd_op_i),
          check: cmd_check_i,
          idle: cmd_idle_i,
          mode: mode_e'(SHAKE ? {1'b0, cmd_mode_i[0]} : cmd_mode_i),
          octets: cmd_octets_i,
          height: SHAKE && cmd_mode_i == 2'd3 ? '0 : cmd_height_i,
          index: cmd_index_i
      };

  // ---------------------------------------------------------------- control and streams
  starts_t starts;
  chains_t chains;
  phase_t phase;
  scope_t scope;
  values_t values;
  sends_t sends;
  raw_t raw;
  kept_t kept;
  answer_t answer;
  stream_t stream;
  message_block_t block;
  assign {rsp_status_o, rsp_cycles_o} = answer;

  logic stop, wiping, hash, raw_done, work_done, tree_done, out_done;
  logic item_valid, item_ready, block_valid, block_ready;
  logic message, empty, beat_valid, beat_ready, beat_last;
  logic [6:0] item;
  state_t item_value;
  logic [63:0] beat;
  logic [15:0] length;
  slot_t side;
  logic [Slots-1:0] ended;
  state_t left, right;

  // With many cores the ends of LMS with w = 4 come sooner when a chain stays on its core, and the
  // first core is kept for their hash.
  localparam bit ManyCores = CORES >= 16;
  logic n24, lms;
  slot_t len;
  assign n24 = scope.set.mode inside {XmssN24, LmsN24};
  assign lms = scope.set.mode[1];
  assign len = chains_of(scope.set.mode, scope.set.octets);

  // This cycle's result, and its next stage, which is enough for keys and masks.
  logic result, result_last, result_q, last_q;
  tag_t result_tag, tag_q;
  logic [1:0] result_part, part_q;
  state_t result_digest, value_q;
  assign raw_done = result && result_tag.dest == DestRaw;

  // Values after the message go to the memory, those before to the control.
  logic control_ready, input_writes, element;
  assign item_ready = element ? input_writes : control_ready;

  xmss_control #(
      .SHAKE(SHAKE)
  ) u_control (
      .clk_i,
      .rst_ni,
      .cmd_valid_i,
      .cmd_ready_o,
      .cmd_i(cmd),
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_o(answer),
      .stream_i(stream),
      .item_valid_i(item_valid && !element),
      .item_ready_o(control_ready),
      .item_i('{number: item[1:0], value: item_value}),
      .block_valid_i(block_valid),
      .block_ready_o(block_ready),
      .block_i(block),
      .hash_o(hash),
      .raw_o(raw),
      .done_i(raw_done),
      .hash_i(result_digest),
      .side_o(side),
      .side_there_i(ended[side]),
      .root_i(left),
      .kept_o(kept),
      .starts_o(starts),
      .chains_o(chains),
      .phase_o(phase),
      .scope_o(scope),
      .values_o(values),
      .sends_o(sends),
      .stop_o(stop),
      .wiping_i(wiping),
      .work_done_i(work_done),
      .tree_done_i(tree_done),
      .out_done_i(out_done)
  );

  xmss_input u_input (
      .clk_i,
      .rst_ni,
      .start_i(starts.start),
      .op_i(cmd.op),
      .length_i(cmd_length_i),
      .refuse_i(starts.refuse),
      .mode_i(scope.set.mode),
      .len_i(len),
      .height_i(scope.height),
      .ended_o(stream.ended),
      .error_o(stream.error),
      .valid_i(in_valid_i),
      .ready_o(in_ready_o),
      .data_i(in_data_i),
      .last_i(in_last_i),
      .item_valid_o(item_valid),
      .item_ready_i(item_ready),
      .item_o(item),
      .tail_o(element),
      .value_o(item_value),
      .message_o(message),
      .empty_o(empty),
      .beat_valid_o(beat_valid),
      .beat_ready_i(beat_ready && !phase.absorbing),
      .beat_o(beat),
      .beat_last_o(beat_last),
      .length_o(length)
  );

  // The message, or the ends of the chains, as blocks.
  slot_t absorb_slot;
  logic [Slots-1:0] used_absorb;
  if (!SHAKE) begin : gen_blocks
    logic end_valid, end_last;
    logic [63:0] end_beat;
    logic [ 6:0] lead;  // bytes before the message
    logic [31:0] message_bits, ends_bits;
    always_comb begin
      unique case (scope.set.mode)
        XmssN24: lead = XmssLeadN24;
        LmsN32:  lead = 7'(LmsHeadBytes + N32);
        LmsN24:  lead = 7'(LmsHeadBytes + N24);
        default: lead = '0;
      endcase
    end
    // In front of a message of XMSS are whole blocks of 64 bytes: one with n = 24, two with n = 32.
    assign message_bits = ({16'd0, length} + {25'd0, lead} + (lms ? 32'd0 : n24 ? 32'd64 : 32'd128)) << 3;
    assign ends_bits = (32'(LmsHeadBytes) + (n24 ? 32'(N24) : 32'(N32)) * {25'd0, len}) << 3;
    xmss_absorb u_absorb (
        .clk_i,
        .rst_ni,
        .start_i(chains.absorb),
        .stop_i (stop),
        .n24_i  (n24),
        .len_i  (len),
        .ended_i(ended),
        .used_o (used_absorb),
        .slot_o (absorb_slot),
        .value_i(right),
        .valid_o(end_valid),
        .ready_i(beat_ready && phase.absorbing),
        .beat_o (end_beat),
        .last_o (end_last)
    );
    xmss_blocks u_blocks (
        .clk_i,
        .rst_ni,
        .start_i(message || chains.absorb),
        .empty_i(!chains.absorb && empty),
        .lead_i (chains.absorb ? 3'd2 : lead[5:3]),
        .shift_i(phase.absorbing ? 3'd6 : lead[2:0]),
        .bits_i (phase.absorbing ? ends_bits : message_bits),
        .stop_i (stop),
        .valid_i(phase.absorbing ? end_valid : beat_valid),
        .ready_o(beat_ready),
        .beat_i (phase.absorbing ? end_beat : beat),
        .last_i (phase.absorbing ? end_last : beat_last),
        .bytes_i(phase.absorbing ? '0 : length[2:0]),
        .valid_o(block_valid),
        .ready_i(block_ready),
        .first_o(block.first),
        .last_o (block.last),
        .block_o(block.words)
    );
  end

  // ---------------------------------------------------------------- what is next
  logic chain_valid, chain_taken, chain_ends, pick_valid, job;
  logic [7:0] chain_from, chain_steps;
  logic [8:0] chain_way, chain_rest, pick_way;
  slot_t chain;
  logic [Slots-1:0] used_tree, used_out;
  pick_t pick, pick_q;
  logic value_write;
  slot_t value_slot, out_slot, pick_left, pick_right, pick_node;
  logic result_writes;
  assign result_writes = result && result_tag.dest inside {DestStart, DestEnd};
  assign input_writes  = element && item_valid && !result_writes;
  assign value_write   = input_writes || result_writes || kept.valid;
  assign value_slot    = kept.valid ? kept.slot : input_writes ? item : result_tag.index[6:0];

  xmss_board u_board (
      .clk_i,
      .rst_ni,
      .clear_i(starts.start || stop),
      .forget_i((starts.start && !starts.keep) || kept.valid),
      .start_i(chains.start),
      .whole_i(starts.whole),
      .n24_i(n24),
      .octets_i(scope.set.octets),
      .len_i(len),
      .in_order_i(scope.set.in_order),
      .most_i(scope.set.most),
      .verify_i(scope.set.verify),
      .digest_i(values.digest),
      .came_i(input_writes || kept.valid || (result && result_tag.dest == DestStart)),
      .came_slot_i(value_slot),
      .finished_i(result && result_tag.dest == DestEnd),
      .finished_slot_i(result_tag.index[6:0]),
      .chain_valid_o(chain_valid),
      .chain_o(chain),
      .chain_from_o(chain_from),
      .chain_steps_o(chain_steps),
      .chain_ends_o(chain_ends),
      .chain_way_o(chain_way),
      .chain_rest_o(chain_rest),
      .chain_taken_i(chain_taken),
      .ended_o(ended),
      .used_i(used_tree | used_out | used_absorb | Slots'(kept.valid && !lms))
  );

  xmss_pick #(
      .CORES(CORES)
  ) u_pick (
      .clk_i,
      .rst_ni,
      .stop_i(stop),
      .leaf_i(scope.index),
      .height_i(scope.height),
      .fly_i(scope.set.fly),
      .lms_i(lms),
      .n24_i(n24 && !SHAKE),
      .len_i(len),
      .raw_i(hash),
      .derive_i(phase.derive),
      .seeds_i(starts.seeds),
      .rows_i(starts.rows),
      .nodes_i(starts.nodes),
      .tree_i(starts.tree),
      .path_i(phase.path),
      .tree_done_o(tree_done),
      .chain_valid_i(chain_valid),
      .chain_i(chain),
      .chain_from_i(chain_from),
      .chain_steps_i(chain_steps),
      .chain_ends_i(chain_ends),
      .chain_way_i(chain_way),
      .chain_rest_i(chain_rest),
      .chain_taken_o(chain_taken),
      .ended_i(ended),
      .used_o(used_tree),
      .node_done_i(result_q && tag_q.dest == DestNodeRow && last_q),
      .node_i(tag_q.index[6:0]),
      .valid_o(pick_valid),
      .pick_o(pick),
      .way_o(pick_way),
      .left_o(pick_left),
      .right_o(pick_right),
      .node_o(pick_node),
      .taken_i(job)
  );

  xmss_output u_output (
      .clk_i,
      .rst_ni,
      .stop_i(stop),
      .sign_i(sends.sign),
      .leaf_i(sends.leaf),
      .given_i(lms),
      .n24_i(n24),
      .len_i(len),
      .r_i(sends.r),
      .ended_i(ended),
      .used_o(used_out),
      .slot_o(out_slot),
      .value_i(right),
      .done_o(out_done),
      .valid_o(out_valid_o),
      .ready_i(out_ready_i),
      .data_o(out_data_o),
      .slot_out_o(out_slot_o),
      .last_o(out_last_o)
  );

  // ---------------------------------------------------------------- memories and lanes
  logic row_valid;
  logic [9:0] row;
  state_t row_key, row_mask, node_key, node_mask0, node_mask1;
  xmss_store u_store (
      .clk_i,
      .rst_ni,
      .wipe_i(starts.wipe),
      .wiping_o(wiping),
      .value_write_i(value_write),
      .value_slot_i(value_slot),
      .value_i(kept.valid ? kept.value : input_writes ? item_value : result_digest),
      .left_slot_i(job && pick.source inside {FromNode, FromChain} ? pick_left : side),
      .left_o(left),
      .right_slot_i(job && pick.source == FromNode ? pick_right : phase.absorbing ? absorb_slot : out_slot),
      .right_o(right),
      .row_write_i(result_q && tag_q.dest == DestRow),
      .node_write_i(result_q && tag_q.dest == DestNodeRow),
      .part_i(part_q),
      .index_i(tag_q.index),
      .part_value_i(value_q),
      .row_i(row_valid ? row : pick.row),
      .row_key_o(row_key),
      .row_mask_o(row_mask),
      .node_i(pick_node),
      .node_key_o(node_key),
      .node_mask0_o(node_mask0),
      .node_mask1_o(node_mask1)
  );

  // The operands of the job or step that was asked for in the last cycle.
  state_t a, b0, b1, address, prefix;
  logic row_valid_q, prepared;
  assign prepared = pick_q.source == FromChain && pick_q.job.op == OpChain;
  assign address  = {32'd0, pick_q.address_6, pick_q.address_5, pick_q.address_4, {28'd0, pick_q.address_type}, 96'd0};
  assign prefix   = {64'd0, pick_q.address_5[15:0], 16'd0, pick_q.address_4, values.pub_seed[3:0]};  // of LMS
  always_comb begin
    {a, b0, b1} = {row_key, row_mask, address};
    if (!row_valid_q) begin
      unique case (pick_q.source)
        FromRaw:  {a, b1, b0} = raw;
        FromNode: {a, b0, b1} = {node_key, left ^ node_mask0, right ^ node_mask1};
        FromSeed:
        if (lms) begin
          {a, b1} = {prefix, values.secret};
        end else if (n24 && !SHAKE) begin
          {a, b0, b1} = {values.secret, 64'd0, Mark, 64'd0, address[5:3], KeygenBitsN24, 224'd0};
        end else begin
          {a, b0} = {values.secret, values.pub_seed};
        end
        FromChain: begin
          if (prepared) b1 = left;
          else b0 = left;
          if (lms) a = prefix;
        end
        default:  ;
      endcase
    end
  end

  if (SHAKE) begin : gen_shake
    xmss_shake #(
        .CORES (CORES),
        .UNROLL(UNROLL)
    ) u_shake (
        .clk_i,
        .rst_ni,
        .n24_i(n24),
        .short_load_i(starts.start && !starts.refuse && cmd.op inside {CmdLoadKey, CmdLoadPublic}),
        .short_i(cmd_mode_i != 2'd0),
        .r_i(sends.r),
        .root_i(values.root),
        .index_i(scope.index),
        .message_i(message),
        .empty_i(empty),
        .stop_i(stop),
        .beat_valid_i(beat_valid),
        .beat_ready_o(beat_ready),
        .beat_i(beat),
        .beat_last_i(beat_last),
        .bytes_i(length[2:0]),
        .block_valid_o(block_valid),
        .block_last_o(block.last),
        .seed_i(values.seed),
        .wipe_i(wiping),
        .hashing_i(phase.hashing),
        .raw_i(pick.source == FromRaw),
        .offered_i(pick_valid),
        .job_o(job),
        .row_valid_o(row_valid),
        .row_o(row),
        .job_i(pick_q.job),
        .tag_i(pick_q.tag),
        .row_i(pick_q.row),
        .a_i(a),
        .b0_i(b0),
        .b1_i(b1),
        .result_o(result),
        .tag_o(result_tag),
        .part_o(result_part),
        .last_o(result_last),
        .digest_o(result_digest)
    );
    assign {block.first, block.words, absorb_slot, used_absorb} = '0;
    wire unused = &{chains.absorb, block_ready, length, pick_way, pick_q.rest};
  end else begin : gen_lanes
    wire unused = &values.root;
    xmss_lanes #(
        .CORES (CORES),
        .UNROLL(UNROLL)
    ) u_lanes (
        .clk_i,
        .rst_ni,
        .seed_i(values.seed),
        .mode_i(scope.set.mode),
        .keep_first_i(phase.hashing || (ManyCores && phase.absorbing && !scope.set.octets)),
        .raw_i(pick.source == FromRaw),
        .offered_i(pick_valid),
        .job_o(job),
        .row_valid_o(row_valid),
        .row_o(row),
        .job_i(pick_q.job),
        .tag_i(pick_q.tag),
        .row_i(pick_q.row),
        .rest_i(pick_q.rest),
        .way_i(pick_way),
        .a_i(a),
        .b0_i(b0),
        .b1_i(b1),
        .result_o(result),
        .tag_o(result_tag),
        .part_o(result_part),
        .last_o(result_last),
        .digest_o(result_digest)
    );
  end

  // ---------------------------------------------------------------- what is under way
  logic [6:0] under_way_q;
  assign work_done = under_way_q == '0 && !pick_valid && !result_q && !hash;
  always_ff @(posedge clk_i) begin
    row_valid_q <= row_valid;
    if (job) pick_q <= pick;
    tag_q   <= result_tag;
    part_q  <= result_part;
    last_q  <= result_last;
    value_q <= result_digest;
    if (!rst_ni) begin
      result_q <= 1'b0;
      under_way_q <= '0;
    end else begin
      result_q <= result;
      under_way_q <= under_way_q + 7'(job) - 7'(result && result_last);
    end
  end
endmodule

`default_nettype wire
