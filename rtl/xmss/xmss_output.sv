// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Values go out as they end: r first, then the chain values in any order, each with the slot it
// belongs to (all ones for r): in words of 64 bits, or each in a word of 256, with n = 24 filled up
// with zeros.
module xmss_output
  import sha256_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned OUT_BITS = 64,
    parameter bit          NARROW   = 0    // sets whose chains come in windows
) (
    input wire clk_i,
    input wire rst_ni,
    input wire stop_i,
    input wire sign_i,  // start with r, then Len values
    input wire leaf_i,  // one value, slot 0
    input wire given_i,  // with leaf_i: it is `r_i`
    input wire n24_i,
    input wire window_t window_i,
    input wire slot_t len_i,  // chains of the window
    input wire state_t r_i,
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    output slot_t slot_o,  // to read
    input wire state_t value_i,  // what was read, two cycles later at most
    output logic passed_o,  // all values of the window are read, and the signature has more
    output logic done_o,
    output logic valid_o,
    input wire ready_i,
    output logic [OUT_BITS-1:0] data_o,
    output logic [(NARROW ? 8 : 6):0] slot_out_o,
    output logic last_o
);
  // A value is read ahead while the one before is sent: four cycles each.
  typedef enum logic [1:0] {
    StRest,
    StRead,
    StWait,
    StAhead
  } state_e;

  localparam int unsigned Bits = NARROW ? $bits(number_t) : $bits(slot_t);
  typedef logic [Bits-1:0] count_t;

  state_e state_q;
  count_t slot_q, ahead_slot_q, left_q;
  slot_t picks_q;
  logic [1:0] beat_q;
  logic [255:0] value_q, ahead_q;
  logic pick, moves, sends_q, there_q;
  slot_t  first_q;

  // A chain's number in its window, and among all.
  slot_t  place;
  count_t number;
  if (NARROW) begin : gen_windows
    assign place  = window_i.narrow ? {1'b0, ahead_slot_q[WindowBits-1:0]} : ahead_slot_q[6:0];
    assign number = window_i.narrow ? {window_i.number, first_q[WindowBits-1:0]} : count_t'(first_q);
  end else begin : gen_one
    assign place  = ahead_slot_q;
    assign number = first_q;
  end

  assign pick = picks_q != '0 && there_q && (state_q == StRest || moves);
  assign slot_o = state_q inside {StRest, StAhead} ? first_q : place;

  assign passed_o = picks_q == '0 && left_q != '0 && state_q inside {StRest, StAhead};
  always_comb begin
    used_o = '0;
    if (pick) used_o[first_q] = 1'b1;
  end

  logic ends, value_ends;
  assign ends = sends_q && ready_i && value_ends;
  assign moves = state_q == StAhead && (!sends_q || ends);
  assign valid_o = sends_q;
  assign slot_out_o = slot_q;
  assign last_o = left_q == count_t'(1) && value_ends;
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
      ahead_slot_q <= number;
      picks_q <= picks_q - 7'd1;
    end
    if (state_q == StWait) ahead_q <= value_i;
    if (sends_q && ready_i) begin
      value_q <= value_q >> 64;
      beat_q  <= beat_q + 2'd1;
    end
    if (ends) begin
      beat_q  <= '0;
      left_q  <= left_q - count_t'(1);
      sends_q <= 1'b0;
    end
    if (moves) begin
      value_q <= ahead_q;
      slot_q  <= ahead_slot_q;
      sends_q <= 1'b1;
    end
    if (sign_i || leaf_i) begin
      value_q <= r_i;
      slot_q  <= sign_i ? '1 : '0;
      sends_q <= sign_i || given_i;
      left_q  <= sign_i ? (NARROW ? count_t'(window_i.chains) : count_t'(len_i)) + count_t'(1) : count_t'(1);
      picks_q <= sign_i ? len_i : given_i ? '0 : 7'd1;
      beat_q  <= '0;
    end
    if (NARROW && window_i.begins && left_q != '0) picks_q <= len_i;
    if (!rst_ni || stop_i) begin
      state_q <= StRest;
      sends_q <= 1'b0;
      {picks_q, left_q} <= '0;
      {value_q, ahead_q} <= '0;
      {slot_q, ahead_slot_q, beat_q} <= '0;
    end
  end
  wire unused = &window_i;
endmodule

`default_nettype wire
