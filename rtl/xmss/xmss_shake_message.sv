// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A message behind toByte(2), r, root and index as padded blocks of SHAKE (FIPS 202, section 6.2
// (SHA-3 Extendable-Output Functions)), for H_msg of RFC 8391, Section 5.1 (Implementing the
// Functions).
//
// Beats have their first byte on top. A block stays until `ready_i`; the next one is put together
// while the first is permuted.
module xmss_shake_message
  import sha256_pkg::state_t;
  import xmss_pkg::*;
  import xmss_shake_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire short_i,  // blocks of 136 bytes, not 168
    input wire state_t r_i,
    input wire state_t root_i,
    input wire [31:0] index_i,
    input wire start_i,
    input wire empty_i,  // with start_i: there is no message
    input wire stop_i,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] beat_i,
    input wire last_i,
    input wire [2:0] bytes_i,  // of the last beat, 0 for eight
    output logic valid_o,
    input wire ready_i,
    output logic first_o,
    output logic last_o,
    output logic [64*Lanes-1:0] block_o
);
  typedef enum logic [1:0] {
    StIdle,
    StData,
    StMark,
    StZero
  } state_e;

  state_e state_q;
  logic [4:0] beat_q;
  logic full_q, first_q, more_q;
  logic [31:0] before_q;
  logic [Lanes-1:0][63:0] buffer_q;

  // A beat, with the first byte of the padding behind the message.
  logic partial, marks;
  logic [63:0] fresh, marked;
  assign partial = last_i && bytes_i != '0;
  assign marks   = state_q == StMark || (state_q == StData && partial);
  for (genvar i = 0; i < 8; i++) begin : gen_mark
    assign marked[8*(7-i)+:8] = 32'(i) < 32'(bytes_i) ? beat_i[8*(7-i)+:8] : 3'(i) == bytes_i ? 8'h1f : 8'h00;
  end
  always_comb begin
    unique case (state_q)
      StData:  fresh = partial ? marked : beat_i;
      StMark:  fresh = {8'h1f, 56'd0};
      default: fresh = '0;
    endcase
  end

  // n = 24: what stands before the message ends in the middle of a lane.
  logic done, fills, adds;
  logic [63:0] shifted, lane;
  assign shifted = n24_i ? {before_q, fresh[63:32]} : fresh;
  assign done = state_q == StZero || (marks && !(n24_i && |fresh[31:0]));
  assign fills = beat_q == (short_i ? 5'(ShortLanes - 1) : 5'(Lanes - 1));
  assign ready_o = state_q == StData && !full_q;
  assign adds = !full_q && (state_q == StData ? valid_i : state_q != StIdle);
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) lane[8*i+:8] = shifted[8*(7-i)+:8];
    lane[63] = lane[63] ^ (done && fills);
  end

  words_t head;
  state_t r, root;
  logic [31:0] index;
  assign r = turned(r_i);
  assign root = turned(root_i);
  assign index = {index_i[7:0], index_i[15:8], index_i[23:16], index_i[31:24]};
  always_comb begin
    head = '0;
    if (n24_i) head[18:0] = {index, 160'd0, root[5:0], r[5:0], 5'd0, TypeMessage, 24'd0};
    else head[31:0] = {index, 224'd0, root, r, 5'd0, TypeMessage, 24'd0, 224'd0};
  end
  assign valid_o = full_q;
  assign first_o = first_q;
  assign last_o  = !more_q;
  assign block_o = buffer_q | (first_q ? head[2*Lanes-1:0] : '0);
  wire unused = &head[Words-1:2*Lanes];

  always_ff @(posedge clk_i) begin
    if (adds) begin
      buffer_q <= {lane, buffer_q[Lanes-1:1]};
      if (short_i) buffer_q[Lanes-1:ShortLanes-1] <= {{64 * (Lanes - ShortLanes) {1'b0}}, lane};
      before_q <= fresh[31:0];
      beat_q   <= fills ? '0 : beat_q + 5'd1;
      full_q   <= fills;
      more_q   <= !done;
      if (marks) state_q <= StZero;
      else if (state_q == StData && last_i) state_q <= StMark;
    end
    if (full_q && ready_i) begin
      full_q  <= 1'b0;
      first_q <= 1'b0;
      if (!more_q) state_q <= StIdle;
    end
    if (start_i) begin
      state_q <= empty_i ? StMark : StData;
      beat_q  <= n24_i ? 5'd9 : 5'd16;
      full_q  <= 1'b0;
      first_q <= 1'b1;
    end
    if (!rst_ni || stop_i) begin
      state_q <= StIdle;
      full_q  <= 1'b0;
    end
    if (!rst_ni || stop_i || start_i) {before_q, buffer_q} <= '0;
    if (!rst_ni) {beat_q, first_q, more_q} <= '0;
  end
endmodule

`default_nettype wire
