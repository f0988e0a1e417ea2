// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Three cores of Hasten in one design: after reset it hashes the block of "abc" with SHA-256,
// permutes the zero state with Keccak, and has the XMSS engine forget its key. `done_o` is 1 when
// all three have answered.
module sample_soc (
    input wire clk_i,
    input wire rst_ni,
    output logic done_o,
    output logic [255:0] sha256_o,
    output logic [63:0] keccak_o,
    output logic [1:0] xmss_status_o
);
  logic started_q, started_before_q, start;
  always_ff @(posedge clk_i) {started_before_q, started_q} <= rst_ni ? {started_q, 1'b1} : '0;
  assign start = started_q && !started_before_q;

  // ---------------------------------------------------------------- SHA-256
  // The padded block of "abc", word 0 last.
  localparam sha256_pkg::block_t Block = {32'h18, 448'h0, 32'h61626380};
  sha256_pkg::state_t digest;
  logic ready, busy, last, ended_q;
  logic [5:0] cycle;
  logic [31:0] next;
  // A word is shown in the cycle before its own; the last cycle's number wraps to that of word 0.
  assign next = (start || busy) && (32'(cycle) < 15 || start) ? Block[4'(cycle+6'd1)] : '0;
  sha256_core u_sha256 (
      .clk_i,
      .rst_ni,
      .ready_o  (ready),
      .start_i  (start && ready),
      .resume_i (1'b0),
      .reload_i (32'(cycle) == 32),
      .state_i  (sha256_constants_pkg::InitialState),
      .begin_i  ('0),
      .next_i   (next),
      .busy_o   (busy),
      .last_o   (last),
      .cycle_o  (cycle),
      .digest_o (digest)
  );
  always_ff @(posedge clk_i) ended_q <= rst_ni && (ended_q || last);
  always_comb for (int unsigned i = 0; i < 8; i++) sha256_o[32*(7-i)+:32] = digest[i];

  // ---------------------------------------------------------------- Keccak-f[1600]
  // FIPS 202, section 3.3 (KECCAK-p[b, nr])
  keccak_pkg::state_t state;
  logic permuted, permuted_q, room;
  logic unused_end;
  logic [3:0] unused_end_tag, unused_tag;
  keccak_core u_keccak (
      .clk_i,
      .rst_ni,
      .end_o    (unused_end),
      .end_tag_o(unused_end_tag),
      .ready_o  (room),
      .valid_i  (start && room),
      .cont_i   (1'b0),
      .tag_i    (4'd0),
      .msg_i    ('0),
      .valid_o  (permuted),
      .tag_o    (unused_tag),
      .state_o  (state)
  );
  always_ff @(posedge clk_i) begin
    permuted_q <= rst_ni && (permuted_q || permuted);
    if (permuted) keccak_o <= state[0][0];
  end
  wire unused_state = ^state;

  // ---------------------------------------------------------------- XMSS engine
  logic asked_q, taken, answered, answered_q;
  logic unused_in_ready, unused_out_valid, unused_out_last;
  logic [63:0] unused_out_data;
  logic [6:0] unused_out_slot;
  logic [1:0] status;
  logic [7:0] unused_verdict;
  logic [31:0] unused_cycles;
  xmss_engine #(
      .CORES(1)
  ) u_xmss (
      .clk_i,
      .rst_ni,
      .zeroize_i   (1'b0),
      .cmd_valid_i (started_q && !asked_q),
      .cmd_ready_o (taken),
      .cmd_op_i    (xmss_pkg::CmdClear),
      .cmd_check_i (1'b0),
      .cmd_table_i (1'b0),
      .cmd_idle_i  (1'b0),
      .cmd_mode_i  (2'd0),
      .cmd_octets_i(1'b0),
      .cmd_narrow_i(1'b0),
      .cmd_height_i(5'd10),
      .cmd_index_i (32'd0),
      .cmd_length_i(60'd0),
      .in_valid_i  (1'b0),
      .in_ready_o  (unused_in_ready),
      .in_data_i   (64'd0),
      .in_last_i   (1'b0),
      .out_valid_o (unused_out_valid),
      .out_ready_i (1'b1),
      .out_data_o  (unused_out_data),
      .out_slot_o  (unused_out_slot),
      .out_last_o  (unused_out_last),
      .rsp_valid_o (answered),
      .rsp_ready_i (1'b1),
      .rsp_status_o(status),
      .rsp_verdict_o(unused_verdict),
      .rsp_cycles_o(unused_cycles)
  );
  always_ff @(posedge clk_i) begin
    asked_q <= rst_ni && (asked_q || (started_q && taken));
    answered_q <= rst_ni && (answered_q || answered);
    if (answered) xmss_status_o <= status;
  end

  assign done_o = ended_q && permuted_q && answered_q;
endmodule

`default_nettype wire
