// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Beats of a message become padded blocks. One block is held; the first beat of the next may come
// in the cycle it is taken.
`default_nettype none

module sha3_assembler
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    // Beats; the tag's rate_i to once_i with them.
    input wire valid_i,
    output logic ready_o,
    input wire beat_t beat_i,
    input wire [4:0] rate_i,  // lanes of a block, at least 2
    input wire [7:0] suffix_i,
    input wire two_i,  // rate_i is 2
    input wire open_i,  // the tag takes beats
    input wire once_i,  // one block of them, without padding
    output logic closes_o,  // this beat is the last of them
    // The block.
    input wire next_i,  // one of next_tag_i is taken in the next cycle, if it is there then
    input wire tag_t next_tag_i,
    output logic next_o,  // it is
    input wire taken_i,
    output end_e ending_o,  // EndNone, EndPad (the last of its message) or EndPause
    output logic [24:0][63:0] block_o
);

  localparam int unsigned Pairs = 13;
  tag_t tag_q;
  end_e ending_q;
  logic [4:0] rate_q, room_q;  // lanes of the block, and those that are not written
  logic [7:0] suffix_q;
  logic [Pairs-1:1] at_q;  // the pair of lanes that is written next, if it is not the first
  logic part_q, full_q;  // of a block
  logic one_q, few_q;  // part_q and one lane is not written, or at most two
  logic tail_q;  // the padding did not fit behind the message
  logic [24:0][63:0] block_q;

  // A block is begun by a beat or by the padding, if its message ended with the block before.
  logic ready, accept, tail, written;
  assign ready   = open_i && !tail_q && (part_q ? beat_i.tag == tag_q : !full_q || taken_i);
  assign ready_o = ready;
  assign accept  = valid_i && ready;
  assign tail    = tail_q && (taken_i || !full_q);
  assign written = accept || tail;

  // A beat, or the padding by itself.
  logic [4:0] rate, room;
  logic few, ends, pad, complete;
  assign rate = tail_q ? rate_q : rate_i;
  assign room = part_q ? room_q : rate;
  assign few = part_q ? few_q : two_i;
  assign ends = beat_i.ending == EndPad && !once_i;
  assign pad = ends && !beat_i.bytes[4] && !(one_q && beat_i.bytes[3]);
  assign complete = pad || few || beat_i.ending == EndFill;
  assign closes_o = accept && (once_i ? few : beat_i.ending[0]);

  // The block of next_tag_i is complete by the next cycle.
  logic comes, stays;
  assign comes  = valid_i && beat_i.tag == next_tag_i && complete;
  assign stays  = tag_q == next_tag_i && (full_q ? (tail_q || !taken_i) : tail_q);
  assign next_o = next_i && ((ready && comes) || stays);

  logic [7:0] suffix;
  logic [15:0] holds, hot;  // bytes of the message, and that behind it
  logic [127:0] data;
  assign suffix = tail_q || part_q ? suffix_q : suffix_i;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      holds[i] = 5'(i) < beat_i.bytes && !tail_q;
      hot[i] = tail_q ? i == 0 : ends && 5'(i) == beat_i.bytes && !(i == 8 && one_q);
      data[8*i+:8] = (beat_i.data[8*i+:8] & {8{holds[i]}}) | (suffix & {8{hot[i]}});
    end
  end

  // A block takes tag, rate and suffix until a beat begins it: the last ones count.
  logic begins;
  assign begins = !part_q && !tail_q && (!full_q || taken_i);

  // A pair is written until a beat for it is taken: the last one counts.
  logic [Pairs-1:0] writes;
  assign writes = {at_q, !part_q && (!full_q || taken_i)};

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 25; i++) begin
      block_q[i] <= (data[64*(i%2)+:64] & {64{writes[i/2]}}) | (block_q[i] & {64{!writes[i/2] && !taken_i && rst_ni}});
    end
    if (written) begin
      at_q <= {at_q[Pairs-2:1], !part_q} & {(Pairs - 1) {!(complete || tail_q)}};
      room_q <= room - 5'd2;
      ending_q <= tail_q || pad ? EndPad : beat_i.ending == EndPause ? EndPause : EndNone;
      tail_q <= ends && !pad && !tail_q;
    end
    if (begins) begin
      tag_q <= beat_i.tag;
      rate_q <= rate_i;
      suffix_q <= suffix_i;
    end
    part_q <= written ? !(complete || tail_q) : part_q;
    one_q  <= written ? !(complete || tail_q) && room == 5'd3 : one_q;
    few_q  <= written ? room <= 5'd4 : few_q;
    full_q <= (full_q && !taken_i) || (written && (complete || tail_q));
    if (!rst_ni) begin
      {at_q, room_q, rate_q, suffix_q, tag_q, part_q, one_q, few_q, full_q, tail_q} <= '0;
      ending_q <= EndNone;
    end
  end

  // The padding ends with the last bit of the block.
  assign ending_o = ending_q;
  always_comb begin
    block_o = block_q;
    for (int unsigned i = 0; i < 25; i++) if (ending_q == EndPad && rate_q == 5'(i + 1)) block_o[i][63] = 1'b1;
  end

endmodule

`default_nettype wire
