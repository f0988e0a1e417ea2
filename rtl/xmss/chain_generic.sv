// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The first step of the ladder: a SHA-256 unit behind registers, and a sequencer that does what a
// processor would do for steps of an XMSS chain (n = 32, masks prepared). For every step each word
// is read from the memory and written to a register of the unit over one port, a word in two
// cycles; the digest goes back the same way. Only the constants of the padding need no reading.
//
// In memory, in words: KEY's state and mask of step j at 16 j and 16 j + 8, the value at `Value`.
// The counters tell what the cycles were spent on.
module chain_generic
  import sha256_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire [3:0] from_i,
    input wire [3:0] steps_i,  // at least 1
    output logic busy_o,
    // Memory: an answer in the next cycle.
    output logic [8:0] address_o,
    output logic write_o,
    output word_t data_o,
    input wire word_t data_i,
    // Cycles since the start.
    output logic [15:0] moving_o,
    output logic [15:0] hashing_o,
    output logic [15:0] control_o
);
  localparam int unsigned Cycles = 64 / UNROLL;
  localparam int unsigned Width = $clog2(Cycles);
  localparam logic [8:0] Value = 9'd256;

  typedef enum logic [2:0] {
    StIdle,
    StFetch,  // read a word (a masked one: the value's)
    StMask,   // read the mask's
    StPut,    // write it to the unit
    StGo,     // start the unit
    StRun,
    StTake,   // read a word of the digest
    StStore   // write it to the memory
  } state_e;

  state_e state_q;
  logic [4:0] word_q;  // 0 to 7 the state, 8 to 23 the block
  logic [3:0] step_q, left_q;
  logic [23:0][31:0] unit_q;  // the unit's registers
  word_t value_q;
  state_t digest;
  logic ready, busy, last;
  logic [Width-1:0] cycle;

  logic is_state, is_value;
  word_t padding;
  assign is_state = word_q < 5'd8;
  assign is_value = word_q >= 5'd8 && word_q < 5'd16;
  assign padding  = word_q == 5'd16 ? 32'h8000_0000 : word_q == 5'd23 ? 32'd768 : '0;
  always_comb begin
    address_o = Value + {6'd0, word_q[2:0]};
    if (state_q == StFetch && is_state) address_o = {1'b0, step_q, 1'b0, word_q[2:0]};
    if (state_q == StMask) address_o = {1'b0, step_q, 1'b1, word_q[2:0]};
  end
  assign write_o = state_q == StStore;
  assign data_o  = value_q;
  assign busy_o  = state_q != StIdle;

  logic [15:0][31:0] block;
  logic [Width-1:0] next_cycle;
  assign block = unit_q[23:8];
  assign next_cycle = cycle + Width'(1);
  sha256_core #(
      .UNROLL(UNROLL)
  ) u_sha256 (
      .clk_i,
      .rst_ni,
      .ready_o (ready),
      .start_i (state_q == StGo),
      .resume_i(1'b0),
      .reload_i(busy && 32'(cycle) == 16 / UNROLL - 1),
      .state_i (unit_q[7:0]),
      .begin_i ('0),
      .next_i  (32'(next_cycle) < 16 / UNROLL ? block[4'(32'(next_cycle)*UNROLL)+:UNROLL] : '0),
      .busy_o  (busy),
      .last_o  (last),
      .cycle_o (cycle),
      .digest_o(digest)
  );

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StFetch: state_q <= is_value ? StMask : StPut;
      StMask: begin
        value_q <= data_i;
        state_q <= StPut;
      end
      StPut: begin
        unit_q[word_q] <= is_state ? data_i : is_value ? value_q ^ data_i : padding;
        word_q <= word_q == 5'd23 ? '0 : word_q + 5'd1;
        state_q <= word_q == 5'd23 ? StGo : word_q >= 5'd15 ? StPut : StFetch;
      end
      StGo: if (ready) state_q <= StRun;
      StRun: if (last) state_q <= StTake;
      StTake: begin
        value_q <= digest[word_q[2:0]];
        state_q <= StStore;
      end
      StStore: begin
        word_q  <= word_q == 5'd7 ? '0 : word_q + 5'd1;
        state_q <= StTake;
        if (word_q == 5'd7) begin
          step_q  <= step_q + 4'd1;
          left_q  <= left_q - 4'd1;
          state_q <= left_q == 4'd1 ? StIdle : StFetch;
        end
      end
      default:
      if (start_i) begin
        state_q <= StFetch;
        word_q  <= '0;
        step_q  <= from_i;
        left_q  <= steps_i;
      end
    endcase
    if (!rst_ni) state_q <= StIdle;
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StFetch, StMask, StPut, StTake, StStore: moving_o <= moving_o + 16'd1;
      StRun: hashing_o <= hashing_o + 16'd1;
      StGo: control_o <= control_o + 16'd1;
      default: if (start_i) {moving_o, hashing_o, control_o} <= '0;
    endcase
  end
endmodule

`default_nettype wire
