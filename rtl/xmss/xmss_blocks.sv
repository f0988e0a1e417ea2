// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Cuts a message into blocks and pads it (FIPS 180-4, Section 5.1.1 (SHA-1, SHA-224 and SHA-256)).
//
// The message may begin inside the first block: `lead_i` beats of eight bytes and `shift_i` (0, 4
// or 6) bytes are left free for what stands before it, in the block that `first_o` marks. `bits_i`
// is the length with what stands before. Beats have their first byte on top.
module xmss_blocks
  import sha256_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire empty_i,  // with start_i: there is no message
    input wire [2:0] lead_i,
    input wire [2:0] shift_i,
    input wire [63:0] bits_i,
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
    output block_t block_o
);
  typedef enum logic [1:0] {
    StIdle,
    StData,
    StMark,
    StZero
  } state_e;

  state_e state_q;
  logic [2:0] beat_q;
  logic full_q, first_q, more_q;
  logic [63:0] marked, fresh, shifted;
  logic [ 47:0] before_q;
  logic [511:0] buffer_q;

  for (genvar i = 0; i < 8; i++) begin : gen_mark
    assign marked[8*(7-i)+:8] = 32'(i) < 32'(bytes_i) ? beat_i[8*(7-i)+:8] : 3'(i) == bytes_i ? 8'h80 : 8'h00;
  end

  logic adds, partial, rest, length_here;
  assign ready_o = state_q == StData && !full_q;
  assign adds = !full_q && (state_q == StData ? valid_i : state_q != StIdle);
  assign partial = last_i && bytes_i != '0;
  always_comb begin
    unique case (state_q)
      StData:  fresh = partial ? marked : beat_i;
      StMark:  fresh = {8'h80, 56'd0};
      default: fresh = '0;
    endcase
    unique case (shift_i)
      3'd4: {rest, shifted} = {|before_q[31:0], before_q[31:0], fresh[63:32]};
      3'd6: {rest, shifted} = {|before_q, before_q, fresh[63:48]};
      default: {rest, shifted} = {1'b0, fresh};
    endcase
    length_here = state_q == StZero && beat_q == 3'd7 && !rest;
    if (length_here) shifted = bits_i;
  end

  assign valid_o = full_q;
  assign first_o = first_q;
  assign last_o  = !more_q;
  assign block_o = buffer_q;

  always_ff @(posedge clk_i) begin
    if (adds) begin
      buffer_q <= {shifted[31:0], shifted[63:32], buffer_q[511:64]};
      before_q <= fresh[47:0];
      beat_q   <= beat_q + 3'd1;
      full_q   <= beat_q == 3'd7;
      more_q   <= !length_here;
      unique case (state_q)
        StData:  if (last_i) state_q <= partial ? StZero : StMark;
        StMark:  state_q <= StZero;
        default: ;
      endcase
    end
    if (full_q && ready_i) begin
      full_q  <= 1'b0;
      first_q <= 1'b0;
      if (!more_q) state_q <= StIdle;
    end
    if (start_i) begin
      state_q  <= empty_i ? StMark : StData;
      beat_q   <= lead_i;
      full_q   <= 1'b0;
      first_q  <= 1'b1;
      before_q <= '0;
    end
    if (!rst_ni || stop_i) begin
      state_q <= StIdle;
      full_q <= 1'b0;
      before_q <= '0;
      buffer_q <= '0;
      {beat_q, first_q, more_q} <= '0;
    end
  end
endmodule

`default_nettype wire
