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
  logic [4:0] room_q[Tags];  // lanes of the block that are not sent
  logic [Tags-1:0] held_q;
  logic [63:0] lane_q[Tags];
  logic [1:0] sent_q;  // lanes of this last beat already sent
  logic flush_q;  // the lane held completes its block: send it first
  tag_t flush_tag_q;

  // For each tag, before one is chosen.
  logic [Tags-1:0] ones, fews, threes;
  for (genvar t = 0; t < Tags; t++) begin : g_tag
    assign ones[t]   = room_q[t] == 5'd1;
    assign fews[t]   = room_q[t] <= 5'd2;
    assign threes[t] = room_q[t] == 5'd3;
  end

  // The bytes at hand: the beat, less what was sent of it, behind the lane held. `whole` counts
  // lanes of them; the others say that there is more than one lane and more than two. Each is given
  // without a lane held and with one.
  logic held, one, more;
  logic [2:0] whole[2];
  logic [1:0] above_one, above_two;
  for (genvar h = 0; h < 2; h++) begin : g_held
    logic [2:0] begun;
    assign whole[h] = {1'b0, beat_i.bytes[4:3]} + 3'(h) - {1'b0, sent_q};
    assign begun = whole[h] + 3'(beat_i.bytes[2:0] != '0);
    assign above_one[h] = begun >= 3'd2;
    assign above_two[h] = begun >= 3'd3;
  end
  assign held = held_q[beat_i.tag];
  assign one  = ones[beat_i.tag];
  assign more = one ? above_one[held] : above_two[held];

  tag_t tag;
  logic leaves;
  logic [127:0] lanes;
  assign tag   = flush_q ? flush_tag_q : beat_i.tag;
  assign lanes = 128'((flush_q || held_q[tag] ? {beat_i.data, lane_q[tag]} : {64'd0, beat_i.data}) >> {sent_q, 6'd0});

  always_comb begin
    beat_o.tag = tag;
    beat_o.ending = last_i && !flush_q && !more ? beat_i.ending : EndNone;
    if (flush_q || (more && one)) beat_o.bytes = 5'd8;
    else if (more) beat_o.bytes = 5'd16;
    else beat_o.bytes = {whole[held][1:0], beat_i.bytes[2:0]};
    beat_o.data = lanes;
  end
  assign valid_o = flush_q || valid_i;
  assign ready_o = ready_i && !flush_q && !(last_i && more);
  assign leaves  = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (leaves) begin
      room_q[tag] <= flush_q || fews[tag] || (last_i && !more) ? lanes_q[tag] : room_q[tag] - 5'd2;
      flush_q <= 1'b0;
      if (flush_q) held_q[tag] <= 1'b0;
      else if (last_i) begin
        sent_q <= more ? sent_q + (one ? 2'd1 : 2'd2) : 2'd0;
        if (!more) held_q[tag] <= 1'b0;
      end else begin
        held_q[tag] <= more;
        lane_q[beat_i.tag] <= beat_i.data[127:64];
        flush_q <= more && (fews[beat_i.tag] ? lanes_q[beat_i.tag] == 5'd1 : threes[beat_i.tag]);
        flush_tag_q <= beat_i.tag;
      end
    end
    if (command_i) {lanes_q[command_tag_i], room_q[command_tag_i]} <= {2{command_lanes_i}};
    if (!rst_ni) begin
      {held_q, sent_q, flush_q, flush_tag_q} <= '0;
      for (int unsigned t = 0; t < Tags; t++) {lanes_q[t], room_q[t], lane_q[t]} <= '0;
    end
  end

endmodule

`default_nettype wire
