// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// All that depends on the hash function: the blocks of a message, and the lanes. With SHAKE = 0
// CORES chain cores, otherwise one Keccak core with CORES slots.
module xmss_hashing
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned CORES  = 4,
    parameter int unsigned UNROLL = 1,
    parameter bit          SHAKE  = 0,
    parameter bit          NARROW = 0
) (
    input wire clk_i,
    input wire rst_ni,
    // The command in work.
    input wire scope_t scope_i,
    input wire window_t window_i,
    input wire slot_t len_i,
    input wire phase_t phase_i,
    input wire values_t values_i,
    input wire state_t r_i,
    input wire absorb_i,  // the ends of the chains begin
    input wire stop_i,
    input wire load_i,  // a key begins
    input wire short_i,  // with load_i and SHAKE: blocks of 136 bytes, not 168
    // Messages and ends as blocks.
    input wire text_t text_i,
    output logic text_ready_o,
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    output slot_t slot_o,  // to read
    input wire state_t value_i,  // what was read, two cycles later at most
    output logic passed_o,  // the last end of a window is taken
    output logic block_valid_o,
    input wire block_ready_i,
    output message_block_t block_o,
    // Jobs: the one that is offered, the request for it or for a row, and the answer a cycle later.
    input wire offered_i,
    input wire hold_i,  // none is taken
    input wire raw_i,  // it is a block of the message
    input wire [8:0] way_i,
    output logic job_o,
    output logic row_valid_o,
    output logic [9:0] row_o,
    input wire pick_t pick_i,
    input wire operands_t operands_i,
    output result_t result_o
);
  if (SHAKE) begin : gen_shake
    xmss_shake #(
        .CORES (CORES),
        .UNROLL(UNROLL)
    ) u_shake (
        .clk_i,
        .rst_ni,
        .n24_i(scope_i.set.mode == XmssN24),
        .short_load_i(load_i),
        .short_i,
        .r_i,
        .root_i(values_i.root),
        .index_i(scope_i.index),
        .message_i(text_i.begins),
        .empty_i(text_i.empty),
        .stop_i,
        .beat_valid_i(text_i.valid),
        .beat_ready_o(text_ready_o),
        .beat_i(text_i.beat),
        .beat_last_i(text_i.last),
        .bytes_i(text_i.length[2:0]),
        .block_valid_o,
        .block_last_o(block_o.last),
        .seed_i(values_i.seed),
        .hashing_i(phase_i.hashing),
        .raw_i,
        .offered_i,
        .hold_i,
        .job_o,
        .row_valid_o,
        .row_o,
        .job_i(pick_i.job),
        .tag_i(pick_i.tag),
        .row_i(pick_i.row),
        .a_i(operands_i.a),
        .b0_i(operands_i.b0),
        .b1_i(operands_i.b1),
        .result_o(result_o.valid),
        .tag_o(result_o.tag),
        .part_o(result_o.part),
        .last_o(result_o.last),
        .digest_o(result_o.digest)
    );
    assign {block_o.first, block_o.words, slot_o, used_o, passed_o} = '0;
    wire unused = &{window_i, len_i, absorb_i, ended_i, value_i, block_ready_i, way_i, scope_i, phase_i, values_i, text_i, pick_i};
  end else begin : gen_sha256
    xmss_feed #(
        .NARROW(NARROW)
    ) u_feed (
        .clk_i,
        .rst_ni,
        .mode_i(scope_i.set.mode),
        .window_i,
        .len_i,
        .absorb_i,
        .absorbing_i(phase_i.absorbing),
        .stop_i,
        .text_i,
        .text_ready_o,
        .ended_i,
        .used_o,
        .slot_o,
        .value_i,
        .passed_o,
        .valid_o(block_valid_o),
        .ready_i(block_ready_i),
        .block_o
    );

    // With many cores the ends of LMS with w = 4 come sooner when a chain stays on its core, and
    // the first core is kept for their hash. With w = 1, and in a verification with w = 2, that
    // hash takes longer than all chains do on two cores.
    localparam bit ManyCores = CORES >= 16;
    xmss_lanes #(
        .CORES (CORES),
        .UNROLL(UNROLL)
    ) u_lanes (
        .clk_i,
        .rst_ni,
        .seed_i(values_i.seed),
        .mode_i(scope_i.set.mode),
        .keep_first_i(phase_i.hashing || (phase_i.absorbing && ((window_i.narrow && (window_i.ones || scope_i.set.verify)) || (ManyCores && !scope_i.set.octets)))),
        .raw_i,
        .offered_i,
        .hold_i,
        .job_o,
        .row_valid_o,
        .row_o,
        .job_i(pick_i.job),
        .tag_i(pick_i.tag),
        .row_i(pick_i.row),
        .rest_i(pick_i.rest),
        .way_i,
        .a_i(operands_i.a),
        .b0_i(operands_i.b0),
        .b1_i(operands_i.b1),
        .result_o(result_o.valid),
        .tag_o(result_o.tag),
        .part_o(result_o.part),
        .last_o(result_o.last),
        .digest_o(result_o.digest)
    );
    wire unused = &{r_i, load_i, short_i, scope_i, phase_i, values_i, pick_i};
  end
endmodule

`default_nettype wire
