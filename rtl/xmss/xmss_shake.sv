// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The hashing of xmss_engine with SHAKE: what stands between message and lanes, and the lanes on
// their Keccak core.
module xmss_shake
  import sha256_pkg::state_t;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned CORES  = 4,
    parameter int unsigned UNROLL = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire short_load_i,
    input wire short_i,  // with short_load_i: blocks of 136 bytes from now on, not 168
    // The message.
    input wire state_t r_i,
    input wire state_t root_i,
    input wire [31:0] index_i,
    input wire message_i,
    input wire empty_i,
    input wire stop_i,
    input wire beat_valid_i,
    output logic beat_ready_o,
    input wire [63:0] beat_i,
    input wire beat_last_i,
    input wire [2:0] bytes_i,
    output logic block_valid_o,
    output logic block_last_o,
    // The lanes, as xmss_lanes has them.
    input wire state_t seed_i,
    input wire hashing_i,
    input wire raw_i,
    input wire offered_i,
    input wire hold_i,
    output logic job_o,
    output logic row_valid_o,
    output logic [9:0] row_o,
    input wire job_t job_i,
    input wire tag_t tag_i,
    input wire [9:0] row_i,
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    output logic result_o,
    output tag_t tag_o,
    output logic [1:0] part_o,
    output logic last_o,
    output state_t digest_o
);
  logic short_q, first, entered;
  logic [64*xmss_shake_pkg::Lanes-1:0] block;
  always_ff @(posedge clk_i) if (short_load_i || !rst_ni) short_q <= short_load_i && short_i;

  xmss_shake_message u_message (
      .clk_i,
      .rst_ni,
      .n24_i,
      .short_i(short_q),
      .r_i,
      .root_i,
      .index_i,
      .start_i(message_i),
      .empty_i,
      .stop_i,
      .valid_i(beat_valid_i),
      .ready_o(beat_ready_o),
      .beat_i,
      .last_i (beat_last_i),
      .bytes_i,
      .valid_o(block_valid_o),
      .ready_i(entered),
      .first_o(first),
      .last_o (block_last_o),
      .block_o(block)
  );

  xmss_shake_lanes #(
      .CORES (CORES),
      .UNROLL(UNROLL)
  ) u_lanes (
      .clk_i,
      .rst_ni,
      .n24_i,
      .short_i(short_q),
      .seed_i,
      .keep_first_i(hashing_i),
      .raw_i,
      .offered_i,
      .hold_i,
      .job_o,
      .row_valid_o,
      .row_o,
      .job_i,
      .tag_i,
      .row_i,
      .a_i,
      .b0_i,
      .b1_i,
      .first_i(first),
      .message_i(block),
      .entered_o(entered),
      .result_o,
      .tag_o,
      .part_o,
      .last_o,
      .digest_o
  );
endmodule

`default_nettype wire
