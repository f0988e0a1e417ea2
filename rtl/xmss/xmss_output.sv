// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Values go out as they end: r first, then the chain values in any order, each with the slot it belongs to (127 for r).
module xmss_output
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire stop_i,
    input wire sign_i,  // start with r, then Len values
    input wire leaf_i,  // one value, slot 0
    input wire state_t r_i,
    input wire [Slots-1:0] ended_i,
    output logic [Slots-1:0] used_o,
    output slot_t slot_o,  // to read
    input wire state_t value_i,  // what was read, a cycle later
    output logic done_o,
    output logic valid_o,
    input wire ready_i,
    output logic [63:0] data_o,
    output logic [6:0] slot_out_o,
    output logic last_o
);
  typedef enum logic [1:0] {
    StIdle,
    StPick,
    StRead,
    StSend
  } state_e;

  state_e state_q;
  slot_t slot_q, left_q;
  logic [  1:0] beat_q;
  logic [255:0] value_q;
  logic any, pick;
  assign any = |ended_i;
  assign pick = state_q == StPick && any;
  assign slot_o = slot_q;
  always_comb begin
    used_o = '0;
    if (pick) used_o[lowest(ended_i)] = 1'b1;
  end

  assign valid_o = state_q == StSend;
  assign slot_out_o = slot_q;
  assign last_o = left_q == 7'd1 && beat_q == 2'd3;
  assign done_o = state_q == StIdle;
  for (genvar i = 0; i < 8; i++) begin : gen_swap
    assign data_o[8*i+:8] = value_q[32*(i/4)+8*(3-i%4)+:8];
  end

  // The memory's answer is there one cycle after StRead.
  logic waited_q;
  always_ff @(posedge clk_i) begin
    waited_q <= state_q == StRead;
    unique case (state_q)
      StPick:
      if (any) begin
        slot_q  <= lowest(ended_i);
        state_q <= StRead;
      end
      StRead:
      if (waited_q) begin
        value_q <= value_i;
        state_q <= StSend;
      end
      StSend:
      if (ready_i) begin
        value_q <= value_q >> 64;
        beat_q  <= beat_q + 2'd1;
        if (beat_q == 2'd3) begin
          left_q  <= left_q - 7'd1;
          state_q <= left_q == 7'd1 ? StIdle : StPick;
        end
      end
      default: ;
    endcase
    if (sign_i) begin
      value_q <= r_i;
      slot_q  <= 7'd127;
      left_q  <= slot_t'(Len + 1);
      beat_q  <= '0;
      state_q <= StSend;
    end
    if (leaf_i) begin
      left_q  <= 7'd1;
      beat_q  <= '0;
      state_q <= StPick;
    end
    if (!rst_ni || stop_i) begin
      state_q <= StIdle;
      value_q <= '0;
    end
  end
endmodule

`default_nettype wire
