// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Beats of a message become padded blocks. One block is held; the first beat of the next may come
// in the cycle it is taken.
`default_nettype none

module sha3_assembler
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    // Beats. rate_i, suffix_i and open_i belong to beat_i.tag.
    input wire valid_i,
    output logic ready_o,
    input wire beat_t beat_i,
    input wire [4:0] rate_i,
    input wire [7:0] suffix_i,
    input wire open_i,  // the tag takes message beats
    input wire once_i,  // one block of them
    // The block.
    output logic valid_o,
    input wire ready_i,
    output tag_t tag_o,
    output end_e ending_o,  // EndNone, EndPad (the last of its message) or EndPause
    output logic [24:0][63:0] block_o
);

  tag_t tag_q;
  end_e ending_q;
  logic [4:0] rate_q, at_q;
  logic [7:0] suffix_q;
  logic full_q;
  logic once_q;
  logic tail_q;  // the padding did not fit behind the message
  logic [24:0][63:0] block_q;

  logic taken, start, accept, tail;
  assign taken = full_q && ready_i;
  assign start = at_q == 5'd0 || taken;
  // The tag of a block that ends its message is closed from then on.
  assign ready_o = open_i && (!full_q || ready_i) && !tail_q &&
      (start ? !(taken && (once_q || ending_q != EndNone) && beat_i.tag == tag_q) : beat_i.tag == tag_q);
  assign accept = valid_i && ready_o;
  assign tail = tail_q && (!full_q || ready_i);

  // The value written: a beat, or the padding by itself.
  logic [4:0] rate, at, bytes, room;
  logic [  7:0] suffix;
  logic [127:0] data;
  logic ends, fits, pad;
  assign rate   = accept && start ? rate_i : rate_q;
  assign suffix = accept && start ? suffix_i : suffix_q;
  assign at     = taken ? 5'd0 : at_q;
  assign bytes  = tail ? 5'd0 : beat_i.bytes;
  assign room   = (rate - at) == 5'd1 ? 5'd8 : 5'd16;
  assign ends   = tail || beat_i.ending == EndPad;
  assign fits   = bytes < room;
  assign pad    = ends && fits;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      data[8*i+:8] = 8'(i) < 8'(bytes) && !tail ? beat_i.data[8*i+:8] : 8'h00;
      if (pad && 5'(i) == bytes) data[8*i+:8] = suffix;
    end
  end

  logic complete;
  assign complete = pad || at + 5'd2 >= rate || (!tail && beat_i.ending == EndFill);

  always_ff @(posedge clk_i) begin
    if (taken) begin
      block_q <= '0;
      at_q <= '0;
      full_q <= 1'b0;
    end
    if (accept || tail) begin
      for (int unsigned i = 0; i < 25; i++) begin
        if (5'(i) == at) block_q[i] <= (taken ? 64'd0 : block_q[i]) | data[63:0];
        if (5'(i) == at + 5'd1) block_q[i] <= (taken ? 64'd0 : block_q[i]) | data[127:64];
        if (pad && 5'(i) == rate - 5'd1) block_q[i][63] <= 1'b1;
      end
      at_q <= at + 5'd2;
      full_q <= complete;
      tail_q <= ends && !fits;
      ending_q <= pad ? EndPad : (!tail && beat_i.ending == EndPause) ? EndPause : EndNone;
    end
    if (accept) begin
      tag_q <= beat_i.tag;
      rate_q <= rate;
      suffix_q <= suffix;
      once_q <= once_i;
    end
    if (!rst_ni) begin
      block_q <= '0;
      at_q <= '0;
      full_q <= 1'b0;
      tail_q <= 1'b0;
      ending_q <= EndNone;
    end
  end

  assign valid_o = full_q;
  assign tag_o = tag_q;
  assign ending_o = ending_q;
  assign block_o = block_q;

endmodule

`default_nettype wire
