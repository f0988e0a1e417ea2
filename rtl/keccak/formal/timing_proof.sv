// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The time of a SHA-3 unit does not depend on data. Two units get the same commands, lengths and
// handshakes, but other messages, prefixes, tweaks, counters and suffixes, and hold other states.
// If all registers of control are the same in both, which they are after a wipe (`wiped_proof`),
// then so is all that a port shows but the data, and so are these registers in the next cycle.
`default_nettype none

module timing_proof
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    input wire beat_t in_i,
    input wire out_ready_i,
    // These differ.
    input wire [1:0][255:0] data_i,
    input wire [1:0][31:0] counter_i,
    input wire [1:0][7:0] suffix_i,
    input wire [1:0][127:0] message_i,
    output logic differs_o
);

  logic [1:0][ 10:0] shown;
  logic [1:0][379:0] held;
  for (genvar i = 0; i < 2; i++) begin : g_copy
    cmd_t  cmd;
    beat_t beat;
    out_t  out;
    logic cmd_ready, in_ready, out_valid;
    always_comb begin
      cmd = cmd_i;
      cmd.data = data_i[i];
      cmd.counter = counter_i[i];
      cmd.suffix = suffix_i[i];
      beat = in_i;
      beat.data = message_i[i];
    end
    sha3_unit u_unit (
        .clk_i,
        .rst_ni,
        .zeroize_i,
        .cmd_valid_i,
        .cmd_ready_o(cmd_ready),
        .cmd_i      (cmd),
        .in_valid_i,
        .in_ready_o (in_ready),
        .in_i       (beat),
        .out_valid_o(out_valid),
        .out_ready_i,
        .out_o      (out)
    );
    wire unused = &out.data;
    assign shown[i] = {cmd_ready, in_ready, out_valid, out.tag, out.last, out.bytes};

    logic [Tags-1:0][ 4:0] lanes;
    logic [Tags-1:0][20:0] walks;
    for (genvar t = 0; t < Tags; t++) begin : g_tag
      assign lanes[t] = u_unit.u_message.u_blocks.lanes_q[t];
      assign walks[t] = {
        u_unit.u_tags.u_walk.walk_q[t].stepped,
        u_unit.u_tags.u_walk.walk_q[t].more,
        u_unit.u_tags.u_walk.walk_q[t].lanes,
        u_unit.u_tags.u_walk.walk_q[t].steps
      };
    end
    assign held[i] = {
      {u_unit.u_wipe.wipe_o, u_unit.u_wipe.left_q, u_unit.tag_q},
      {lanes, u_unit.u_message.u_blocks.open_q, u_unit.u_message.u_blocks.once_q, u_unit.u_message.u_blocks.two_q},
      {u_unit.u_message.u_assembler.at_q, u_unit.u_message.u_assembler.tag_q, u_unit.u_message.u_assembler.ending_q},
      {u_unit.u_message.u_assembler.rate_q, u_unit.u_message.u_assembler.room_q, u_unit.u_message.u_assembler.tail_q},
      {u_unit.u_message.u_assembler.part_q, u_unit.u_message.u_assembler.full_q},
      {u_unit.u_message.u_assembler.one_q, u_unit.u_message.u_assembler.few_q},
      {u_unit.u_tags.u_turns.turn_q, u_unit.u_tags.u_turns.enters_o, u_unit.u_tags.u_turns.steps_o},
      {u_unit.u_tags.u_turns.absorbs_q, u_unit.u_tags.u_left.left_q, walks},
      {u_unit.u_states.u_loop.run_q, u_unit.u_states.u_loop.pass_q},
      {u_unit.u_output.left_q, u_unit.u_output.some_q, u_unit.u_output.ends_q},
      {u_unit.u_output.last_q, u_unit.u_output.tag_q}
    };
  end

  logic same, same_q;
  assign same = held[0] == held[1];
  always_ff @(posedge clk_i) same_q <= same;
  assign differs_o = (same && shown[0] != shown[1]) || (same_q && !same);

endmodule

`default_nettype wire
