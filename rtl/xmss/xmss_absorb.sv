// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The ends of the chains in their order, as beats of eight bytes: what RFC 8554, Algorithm 4b
// (Computing a Public Key Candidate Kc from a Signature, Message, Signature Typecode pubtype, and
// Identifiers I, q) hashes behind I, q and D_PBLC.
module xmss_absorb
  import sha256_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit NARROW = 0  // sets whose chains come in windows
) (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire stop_i,
    input wire n24_i,
    input wire window_t window_i,
    input wire slot_t len_i,  // chains of the window
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    output slot_t slot_o,  // to read
    input wire state_t value_i,  // what was read, two cycles later at most
    output logic valid_o,
    input wire ready_i,
    output logic [63:0] beat_o,
    output logic last_o,
    output logic passed_o  // the last end of the window is taken
);
  typedef enum logic [1:0] {
    StIdle,
    StNext,
    StTake,
    StFeed
  } state_e;

  localparam int unsigned Bits = NARROW ? $bits(number_t) : $bits(slot_t);
  typedef logic [Bits-1:0] count_t;

  state_e state_q;
  count_t slot_q;
  logic [1:0] beat_q;
  logic [255:0] value_q;
  logic value_ends, all;
  assign value_ends = beat_q == (n24_i ? 2'd2 : 2'd3);
  assign all = slot_q == (NARROW ? count_t'(window_i.chains) : count_t'(len_i)) - count_t'(1);

  // The next value is read until the last beat of the one before, and taken where it had come a
  // cycle before that.
  count_t next;
  slot_t  place;
  logic passes, fetches, there_q;
  assign passes = state_q == StFeed && ready_i && value_ends;
  assign next = slot_q + count_t'(state_q == StFeed);
  assign place = NARROW && window_i.narrow ? {1'b0, next[WindowBits-1:0]} : next[6:0];
  assign passed_o = state_q == StTake && &slot_q[WindowBits-1:0];
  assign fetches = (state_q == StNext || (passes && !all)) && there_q;
  assign slot_o = place;
  assign valid_o = state_q == StFeed;
  assign beat_o = {value_q[31:0], value_q[63:32]};
  assign last_o = all && value_ends;
  always_comb begin
    used_o = '0;
    used_o[place] = fetches;
  end

  always_ff @(posedge clk_i) there_q <= rst_ni && state_q inside {StNext, StFeed} && ended_i[place];

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StNext:  if (fetches) state_q <= StTake;
      StTake: begin
        value_q <= value_i;
        beat_q  <= '0;
        state_q <= StFeed;
      end
      StFeed:
      if (ready_i) begin
        value_q <= value_q >> 64;
        beat_q  <= beat_q + 2'd1;
        if (value_ends) begin
          slot_q  <= next;
          state_q <= all ? StIdle : fetches ? StTake : StNext;
        end
      end
      default: ;
    endcase
    if (start_i) begin
      state_q <= StNext;
      slot_q  <= '0;
    end
    if (!rst_ni || stop_i) begin
      state_q <= StIdle;
      slot_q  <= '0;
      value_q <= '0;
      beat_q  <= '0;
    end
  end
  wire unused = &{window_i, len_i};
endmodule

`default_nettype wire
