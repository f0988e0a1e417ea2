// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A packed stream of 16-byte beats, as a DMA engine sends it, cut where the unit wants it: at the
// ends of blocks. A block of an odd number of lanes ends inside a beat; the lane left over is held
// for its tag.
`default_nettype none

module sha3_packed_in
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    // A command was taken: the blocks of its tag have so many lanes.
    input wire command_i,
    input wire tag_t command_tag_i,
    input wire [4:0] command_lanes_i,
    // Packed: 16 bytes in every beat but the last.
    input wire valid_i,
    output logic ready_o,
    input wire beat_t beat_i,
    input wire last_i,
    // Cut.
    output logic valid_o,
    input wire ready_i,
    output beat_t beat_o
);

  logic [4:0] lanes_q[Tags];  // of a block
  logic [4:0] at_q[Tags];  // lanes of the block already sent
  logic [Tags-1:0] held_q;
  logic [63:0] lane_q[Tags];
  logic [1:0] sent_q;  // lanes of this last beat already sent
  logic flush_q;  // the lane held completes its block: send it first
  tag_t flush_tag_q;

  tag_t tag;
  logic held, one, more, leaves;
  logic [4:0] bytes, size, room, at, next;
  logic [127:0] lanes;
  assign tag = flush_q ? flush_tag_q : beat_i.tag;
  assign held = held_q[tag];
  assign at = at_q[tag];
  assign room = lanes_q[tag] - at;
  assign one = room == 5'd1;
  // The bytes at hand: the lane held, then the beat, less what was sent of it.
  assign bytes = (flush_q ? 5'd0 : beat_i.bytes) + (held ? 5'd8 : 5'd0) - {sent_q, 3'b000};
  assign lanes = 128'((held ? {beat_i.data, lane_q[tag]} : {64'd0, beat_i.data}) >> {sent_q, 6'd0});
  assign size = one ? 5'd8 : 5'd16;
  assign more = bytes > size;
  assign next = room <= 5'd2 ? 5'd0 : at + 5'd2;

  always_comb begin
    beat_o.tag = tag;
    beat_o.ending = last_i && !flush_q && !more ? beat_i.ending : EndNone;
    beat_o.bytes = more ? size : bytes;
    beat_o.data = lanes;
  end
  assign valid_o = flush_q || valid_i;
  assign ready_o = ready_i && !flush_q && !(last_i && more);
  assign leaves  = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (leaves) begin
      at_q[tag] <= next;
      flush_q   <= 1'b0;
      if (flush_q) held_q[tag] <= 1'b0;
      else if (last_i) begin
        sent_q <= more ? sent_q + (one ? 2'd1 : 2'd2) : 2'd0;
        if (!more) {held_q[tag], at_q[tag]} <= '0;
      end else begin
        held_q[tag] <= more;
        lane_q[tag] <= beat_i.data[127:64];
        flush_q <= more && lanes_q[tag] - next == 5'd1;
        flush_tag_q <= tag;
      end
    end
    if (command_i) lanes_q[command_tag_i] <= command_lanes_i;
    if (!rst_ni) begin
      {held_q, sent_q, flush_q, flush_tag_q} <= '0;
      for (int unsigned t = 0; t < Tags; t++) {lanes_q[t], at_q[t], lane_q[t]} <= '0;
    end
  end

endmodule

`default_nettype wire
