// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Signs and verifies with XMSS-SHA2_h_256 and _192 (RFC 8391, SP 800-208) and LMS_SHA256_M32 and
// M24 with w = 4 and 8 (RFC 8554) on CORES chain cores, prepared or from nothing. CORES * UNROLL is
// at most 32. With NARROW it is for w = 1 and 2 too.
//
// With SHAKE it is for XMSS-SHAKE_h_256, XMSS-SHAKE256_h_192 and XMSS-SHAKE256_h_256 (modes 0 to 2)
// on one Keccak core of UNROLL rounds a cycle, which is CORES = 2 UNROLL lanes.
//
// Commands, their streams and answers: README.md. Bus-free: every port is valid/ready.
module xmss_engine
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned CORES        = 4,
    parameter int unsigned UNROLL       = 1,
    parameter bit          SHAKE        = 0,
    // LMS with w = 1 and 2 too. Values of the output then have numbers of nine bits.
    parameter bit          NARROW       = 0,
    // Cycles from an address to its word: 1, or 2 with a register behind the memories.
    parameter int unsigned SRAM_LATENCY = 2,
    // Bits of a word of the output: 64, or 256 for a value in each.
    parameter int unsigned OUT_BITS     = 64
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,  // forgets everything, as a reset does
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire [3:0] cmd_op_i,
    input wire cmd_check_i,
    input wire cmd_table_i,
    input wire cmd_idle_i,
    input wire [1:0] cmd_mode_i,
    input wire cmd_octets_i,
    input wire cmd_narrow_i,
    input wire [4:0] cmd_height_i,
    input wire [31:0] cmd_index_i,
    input wire length_t cmd_length_i,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire [63:0] in_data_i,
    input wire in_last_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output logic [OUT_BITS-1:0] out_data_o,
    output logic [(NARROW ? 8 : 6):0] out_slot_o,
    output logic out_last_o,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output logic [1:0] rsp_status_o,
    output logic [7:0] rsp_verdict_o,  // on a signature; 0 of other commands
    output logic [31:0] rsp_cycles_o
);
  if (!(UNROLL inside {1, 2, 4, 8}) || CORES == 0 || CORES * UNROLL > 32) begin : gen_wrong_cores
    $error("UNROLL is 1, 2, 4 or 8, and CORES * UNROLL 1 to 32");
  end
  if (SHAKE && CORES != 2 * UNROLL) begin : gen_wrong_lanes
    $error("with SHAKE CORES is 2 * UNROLL");
  end
  if (SHAKE && NARROW) begin : gen_wrong_narrow
    $error("there is no LMS with SHAKE");
  end

  command_t offered, cmd;
  assign offered = '{
          op: command_e'(cmd_op_i),
          check: cmd_check_i,
          chain_table: cmd_table_i,
          idle: cmd_idle_i,
          mode: mode_e'({cmd_mode_i[1] && !SHAKE && (NARROW || !cmd_narrow_i), cmd_mode_i[0]}),
          octets: cmd_octets_i || cmd_narrow_i,
          short_rate: cmd_mode_i != 2'd0,
          height: SHAKE && cmd_mode_i == 2'd3 ? '0 : cmd_height_i,
          index: cmd_index_i,
          length: cmd_length_i
      };

  wire unused = &cmd;

  // ---------------------------------------------------------------- control
  // To the control w = 1 and 2 are as w = 8: of LMS only, and without a table.
  starts_t starts;
  chains_t chains;
  phase_t phase;
  scope_t scope;
  window_t window;
  values_t values;
  sends_t sends;
  raw_t raw;
  kept_t kept;
  stream_t stream;
  message_block_t block;
  logic erase, erasing;
  logic stop, wiping, hash, work_done, tree_done, out_done, item_ready, block_valid, block_ready;
  logic item_valid, element;
  logic [6:0] item;
  logic [1:0] number;
  state_t item_value, read;
  slot_t len, side, side_q;
  logic [Slots-1:0] ended;
  result_t result, stored;
  logic side_ended_q, side_there_q;
  always_ff @(posedge clk_i) begin
    side_q <= side;
    side_ended_q <= ended[side];
    side_there_q <= side_ended_q && side == side_q;
  end

  // While the memories are wiped all else is in reset: some registers are cleared by it, the others
  // take what those have (README.md, "Secrets").
  logic control_n, data_n;
  assign control_n = rst_ni && !zeroize_i;
  assign data_n = rst_ni && !wiping;

  logic open;
  xmss_control #(
      .SHAKE(SHAKE)
  ) u_control (
      .clk_i,
      .rst_ni(control_n),
      .cmd_valid_i,
      .cmd_ready_o,
      .cmd_i(offered),
      .cmd_o(cmd),
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_o({rsp_status_o, rsp_verdict_o, rsp_cycles_o}),
      .stream_i(stream),
      .item_valid_i(item_valid && !element),
      .item_ready_o(item_ready),
      .item_i('{number: number, value: item_value}),
      .block_valid_i(block_valid),
      .block_ready_o(block_ready),
      .block_i(block),
      .hash_o(hash),
      .raw_o(raw),
      .done_i(stored.valid && stored.tag.dest == DestRaw),
      .hash_i(stored.digest),
      .side_o(side),
      .side_there_i(side_there_q),
      .root_i(read),
      .kept_o(kept),
      .starts_o(starts),
      .chains_o(chains),
      .phase_o(phase),
      .scope_o(scope),
      .values_o(values),
      .sends_o(sends),
      .stop_o(stop),
      .open_o(open),
      .wiping_i(wiping),
      .erase_o(erase),
      .erasing_i(erasing),
      .work_done_i(work_done),
      .tree_done_i(tree_done),
      .out_done_i(out_done)
  );

  logic loads, ends_passed, values_passed;
  assign loads = starts.start && !starts.refuse && cmd.op inside {CmdLoadKey, CmdLoadPublic};
  xmss_window #(
      .NARROW(NARROW)
  ) u_window (
      .clk_i,
      .rst_ni(data_n),
      .take_i(cmd_valid_i && cmd_ready_o),
      .narrow_i(cmd_narrow_i),
      .ones_i(cmd_octets_i),
      .load_i(loads),
      .first_i(starts.start || kept.valid),
      .stop_i(stop),
      .passed_i(ends_passed || values_passed),
      .mode_i(scope.set.mode),
      .octets_i(scope.set.octets),
      .window_o(window),
      .len_o(len)
  );

  // ---------------------------------------------------------------- streams
  // Values after the message go to the memory, those before to the control.
  text_t text;
  logic text_ready, element_ready;
  xmss_input #(
      .NARROW(NARROW)
  ) u_input (
      .clk_i,
      .rst_ni(data_n),
      .start_i(starts.start),
      .op_i(cmd.op),
      .length_i(cmd.length),
      .refuse_i(starts.refuse),
      .load_lms_i(cmd.mode[1]),
      .mode_i(scope.set.mode),
      .window_i(window),
      .len_i(len),
      .height_i(scope.height),
      .ended_o(stream.ended),
      .error_o(stream.error),
      .valid_i(in_valid_i),
      .ready_o(in_ready_o),
      .data_i(in_data_i),
      .last_i(in_last_i),
      .item_valid_o(item_valid),
      .item_ready_i(element ? element_ready : item_ready),
      .item_o(item),
      .number_o(number),
      .tail_o(element),
      .value_o(item_value),
      .text_o(text),
      .text_ready_i(text_ready)
  );

  slot_t out_slot;
  state_t tabled;
  logic [3:0] digit;
  logic [Slots-1:0] used_out;
  logic out_valid;
  xmss_output #(
      .OUT_BITS(OUT_BITS),
      .NARROW  (NARROW)
  ) u_output (
      .clk_i,
      .rst_ni(data_n),
      .stop_i(stop),
      .sign_i(sends.sign),
      .leaf_i(sends.leaf),
      .given_i(scope.set.mode[1]),
      .n24_i(scope.set.mode inside {XmssN24, LmsN24}),
      .window_i(window),
      .len_i(len),
      .r_i(sends.r),
      .ended_i(ended),
      .used_o(used_out),
      .slot_o(out_slot),
      .value_i(scope.set.reads ? tabled : read),
      .passed_o(values_passed),
      .done_o(out_done),
      .valid_o(out_valid),
      .ready_i(out_ready_i && open),
      .data_o(out_data_o),
      .slot_out_o(out_slot_o),
      .last_o(out_last_o)
  );
  // A flip in the registers of the output alone lets nothing out.
  assign out_valid_o = out_valid && open;

  // ---------------------------------------------------------------- what is next
  logic came, pick_valid, hold, job, row_valid;
  logic [8:0] pick_way;
  logic [9:0] row;
  slot_t came_slot, pick_left, pick_right, pick_node, end_slot;
  logic [Slots-1:0] used_ends;
  pick_t pick, job_pick;
  operands_t operands;
  xmss_schedule #(
      .CORES (CORES),
      .SHAKE (SHAKE),
      .NARROW(NARROW)
  ) u_schedule (
      .clk_i,
      .rst_ni(data_n),
      .stop_i(stop),
      .starts_i(starts),
      .digits_i(chains.start),
      .phase_i(phase),
      .scope_i(scope),
      .window_i(window),
      .len_i(len),
      .digest_i(values.digest),
      .hash_i(hash),
      .tree_done_o(tree_done),
      .work_done_o(work_done),
      .came_i(came),
      .came_slot_i(came_slot),
      .kept_i(kept.valid),
      .result_i(stored),
      .ended_o(ended),
      .used_i(used_out | used_ends),
      .digit_slot_i(out_slot),
      .digit_o(digit),
      .valid_o(pick_valid),
      .pick_o(pick),
      .way_o(pick_way),
      .left_o(pick_left),
      .right_o(pick_right),
      .node_o(pick_node),
      .taken_i(job)
  );

  // ---------------------------------------------------------------- memories and lanes
  xmss_data #(
      .SHAKE(SHAKE),
      .SRAM_LATENCY(SRAM_LATENCY)
  ) u_data (
      .clk_i,
      .rst_ni,
      .wipe_i(starts.wipe || zeroize_i),
      .wiping_o(wiping),
      .erase_i(erase),
      .erasing_o(erasing),
      .item_valid_i(element && item_valid),
      .item_ready_o(element_ready),
      .item_slot_i(item),
      .item_i(item_value),
      .kept_i(kept),
      .result_i(result),
      .stored_o(stored),
      .came_o(came),
      .came_slot_o(came_slot),
      .offered_i(pick_valid),
      .hold_o(hold),
      .pick_i(pick),
      .left_slot_i(pick_left),
      .right_slot_i(pick_right),
      .node_i(pick_node),
      .job_i(job),
      .row_valid_i(row_valid),
      .row_i(row),
      .pick_o(job_pick),
      .operands_o(operands),
      .mode_i(scope.set.mode),
      .raw_i(raw),
      .values_i(values),
      .fills_i(scope.set.fills),
      .reads_i(scope.set.reads),
      .table_slot_i(out_slot),
      .table_step_i(digit),
      .table_o(tabled),
      .reader_i(phase.absorbing ? end_slot : out_done ? side : out_slot),
      .read_o(read)
  );

  xmss_hashing #(
      .CORES (CORES),
      .UNROLL(UNROLL),
      .SHAKE (SHAKE),
      .NARROW(NARROW)
  ) u_hashing (
      .clk_i,
      .rst_ni(data_n),
      .scope_i(scope),
      .window_i(window),
      .len_i(len),
      .phase_i(phase),
      .values_i(values),
      .r_i(sends.r),
      .absorb_i(chains.absorb),
      .stop_i(stop),
      .load_i(loads),
      .short_i(cmd.short_rate),
      .text_i(text),
      .text_ready_o(text_ready),
      .ended_i(ended),
      .used_o(used_ends),
      .slot_o(end_slot),
      .value_i(read),
      .passed_o(ends_passed),
      .block_valid_o(block_valid),
      .block_ready_i(block_ready),
      .block_o(block),
      .offered_i(pick_valid),
      .hold_i(hold),
      .raw_i(pick.source == FromRaw),
      .way_i(pick_way),
      .job_o(job),
      .row_valid_o(row_valid),
      .row_o(row),
      .pick_i(job_pick),
      .operands_i(operands),
      .result_o(result)
  );
endmodule

`default_nettype wire
