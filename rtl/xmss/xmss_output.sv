// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Values go out as they end: r first, then the chain values in any order, each with the slot it
// belongs to (127 for r): in words of 64 bits, or each in a word of 256, with n = 24 filled up with
// zeros.
module xmss_output
  import sha256_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned OUT_BITS = 64
) (
    input wire clk_i,
    input wire rst_ni,
    input wire stop_i,
    input wire sign_i,  // start with r, then Len values
    input wire leaf_i,  // one value, slot 0
    input wire given_i,  // with leaf_i: it is `r_i`
    input wire n24_i,
    input wire slot_t len_i,
    input wire state_t r_i,
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    output slot_t slot_o,  // to read
    input wire state_t value_i,  // what was read, two cycles later at most
    output logic done_o,
    output logic valid_o,
    input wire ready_i,
    output logic [OUT_BITS-1:0] data_o,
    output logic [6:0] slot_out_o,
    output logic last_o
);
  // A value is read ahead while the one before is sent: four cycles each.
  typedef enum logic [1:0] {
    StRest,
    StRead,
    StWait,
    StAhead
  } state_e;

  state_e state_q;
  slot_t slot_q, ahead_slot_q, picks_q, left_q;
  logic [1:0] beat_q;
  logic [255:0] value_q, ahead_q;
  logic pick, moves, sends_q, there_q;
  slot_t first_q;
  assign pick   = picks_q != '0 && there_q && (state_q == StRest || moves);
  assign slot_o = state_q inside {StRest, StAhead} ? first_q : ahead_slot_q;
  always_comb begin
    used_o = '0;
    if (pick) used_o[first_q] = 1'b1;
  end

  logic ends, value_ends;
  assign ends = sends_q && ready_i && value_ends;
  assign moves = state_q == StAhead && (!sends_q || ends);
  assign valid_o = sends_q;
  assign slot_out_o = slot_q;
  assign last_o = left_q == 7'd1 && value_ends;
  assign done_o = left_q == '0;
  for (genvar i = 0; i < OUT_BITS / 8; i++) begin : gen_swap
    assign data_o[8*i+:8] = i >= 24 && n24_i ? '0 : value_q[32*(i/4)+8*(3-i%4)+:8];
  end
  if (OUT_BITS == 64) begin : gen_beats
    assign value_ends = beat_q == (n24_i ? 2'd2 : 2'd3);
  end else if (OUT_BITS == 256) begin : gen_whole
    assign value_ends = 1'b1;
  end else begin : gen_wrong
    $error("OUT_BITS is 64 or 256");
  end

  // The next value is found in the cycle before. It is not asked for in the two cycles after one
  // was picked, in which the one that was picked may still be found.
  slot_t first;
  logic  there;
  xmss_lowest #(
      .COUNT(Slots)
  ) u_first (
      .bits_i  (ended_i),
      .some_o  (there),
      .lowest_o(first)
  );
  always_ff @(posedge clk_i) begin
    first_q <= first;
    there_q <= rst_ni && !stop_i && there;
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StRead:  state_q <= StWait;
      StWait:  state_q <= StAhead;
      default: if (pick || moves) state_q <= pick ? StRead : StRest;
    endcase
    if (pick) begin
      ahead_slot_q <= first_q;
      picks_q <= picks_q - 7'd1;
    end
    if (state_q == StWait) ahead_q <= value_i;
    if (sends_q && ready_i) begin
      value_q <= value_q >> 64;
      beat_q  <= beat_q + 2'd1;
    end
    if (ends) begin
      beat_q  <= '0;
      left_q  <= left_q - 7'd1;
      sends_q <= 1'b0;
    end
    if (moves) begin
      value_q <= ahead_q;
      slot_q  <= ahead_slot_q;
      sends_q <= 1'b1;
    end
    if (sign_i || leaf_i) begin
      value_q <= r_i;
      slot_q  <= sign_i ? 7'd127 : '0;
      sends_q <= sign_i || given_i;
      left_q  <= sign_i ? len_i + 7'd1 : 7'd1;
      picks_q <= sign_i ? len_i : given_i ? '0 : 7'd1;
      beat_q  <= '0;
    end
    if (!rst_ni || stop_i) begin
      state_q <= StRest;
      sends_q <= 1'b0;
      {picks_q, left_q} <= '0;
      {value_q, ahead_q} <= '0;
      {slot_q, ahead_slot_q, beat_q} <= '0;
    end
  end
endmodule

`default_nettype wire
