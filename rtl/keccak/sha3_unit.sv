// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-3 unit: four messages at once, one per tag. Each tag has a slot of its own in the loop, where
// its state goes round, so that a message which waits for input, or whose output waits to be taken,
// holds up nobody else.
`default_nettype none

module sha3_unit
  import sha3_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 2,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,  // forgets everything, as OpClear and a reset do
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire beat_t in_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output out_t out_o
);

  // ---------------------------------------------------------------- wiping, and whose turn it is
  // Zeros enter the loop and all that goes round with it, and need so many cycles to go round.
  localparam logic [3:0] WipeCycles = 4'd11;
  logic [3:0] wipe_left_q;
  logic wipe_q, clear, wipes;
  tag_t tag_q;  // whose slot passes the entry
  assign clear = cmd_valid_i && cmd_i.op == OpClear && !wipe_q;
  assign wipes = !rst_ni || zeroize_i || clear;
  always_ff @(posedge clk_i) begin
    if (wipes) wipe_left_q <= WipeCycles;
    else if (wipe_q) wipe_left_q <= wipe_left_q - 4'd1;
    wipe_q <= wipes || wipe_left_q > 4'd1;
    tag_q  <= wipe_q ? 2'd0 : tag_q - 2'd1;
  end

  // ---------------------------------------------------------------- commands
  // A command goes to its tag's place, one with long data only to that behind the entry.
  logic long;
  logic [1:0] place;
  logic [3:0] idle, offered, load;
  logic [255:0] prefix_q;
  assign place = cmd_i.tag - tag_q;
  assign long = cmd_i.op == OpPrefix || cmd_i.op == OpChain;
  assign offered = {!long, !long, 1'b1, !long} & {4{cmd_valid_i && !wipe_q && cmd_i.op != OpClear}};
  assign cmd_ready_o = !wipe_q && (cmd_i.op == OpClear || (idle[place] && (!long || place == 2'(Passed))));
  always_comb for (int unsigned p = 0; p < Tags; p++) load[p] = idle[p] && offered[p] && place == 2'(p);
  wire takes_prefix = load[Passed] && cmd_i.op == OpPrefix;
  always_ff @(posedge clk_i) begin
    prefix_q <= (cmd_i.data & {256{takes_prefix}}) | (prefix_q & {256{!takes_prefix && !wipe_q}});
  end

  // The input needs this of each tag.
  logic [Tags-1:0] opens, open_q, once_q, two_q;
  logic [4:0] lanes, lanes_q[Tags];  // of a block
  logic [7:0] suffix_q[Tags];
  logic closes;
  assign lanes = cmd_i.op == OpLoad ? 5'd25 : cmd_i.op == OpChain ? 5'(cmd_i.lanes) : cmd_i.rate;
  always_comb begin
    for (int unsigned t = 0; t < Tags; t++) begin
      opens[t] = idle[2'(t)-tag_q] && offered[2'(t)-tag_q] && cmd_i.tag == 2'(t);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < Tags; t++) begin
      if (opens[t]) begin
        once_q[t] <= cmd_i.op == OpLoad || cmd_i.op == OpChain;
        two_q[t] <= lanes == 5'd2;
        lanes_q[t] <= lanes;
        suffix_q[t] <= cmd_i.suffix;
      end
      open_q[t] <= (opens[t] && cmd_i.op != OpSave && cmd_i.op != OpPrefix) || (open_q[t] && !(closes && in_i.tag == 2'(t)));
      if (wipe_q) {open_q[t], once_q[t], two_q[t], lanes_q[t], suffix_q[t]} <= '0;
    end
  end

  // ---------------------------------------------------------------- message in
  logic comes, free, enters;
  end_e ending;
  logic [1599:0] block;
  sha3_assembler u_assembler (
      .clk_i,
      .rst_ni    (!wipe_q),
      .valid_i   (in_valid_i),
      .ready_o   (in_ready_o),
      .beat_i    (in_i),
      .rate_i    (lanes_q[in_i.tag]),
      .suffix_i  (suffix_q[in_i.tag]),
      .two_i     (two_q[in_i.tag]),
      .open_i    (open_q[in_i.tag] && !wipe_q),
      .once_i    (once_q[in_i.tag]),
      .closes_o  (closes),
      .next_i    (free && !wipe_q),
      .next_tag_i(tag_q - 2'd1),
      .next_o    (comes),
      .taken_i   (enters),
      .ending_o  (ending),
      .block_o   (block)
  );

  // ---------------------------------------------------------------- what each tag does
  logic begins, keeps, ends, gives, given, last, squeezes, next_more, entry_more;
  logic [  2:0] next_lanes;
  logic [  4:2] steps;
  logic [  4:0] rate;
  logic [  7:0] bytes;
  logic [ 31:0] counter;
  logic [223:0] tweak;
  sha3_turns u_turns (
      .clk_i,
      .wipe_i      (wipe_q),
      .load_i      (load),
      .op_i        (cmd_i.op),
      .idle_o      (idle),
      .enters_i    (comes),
      .free_i      (free),
      .more_i      (next_more),
      .lanes_i     (next_lanes),
      .enters_o    (enters),
      .steps_o     (steps),
      .begins_o    (begins),
      .keeps_o     (keeps),
      .ending_i    (ending),
      .ends_i      (ends),
      .entry_more_i(entry_more),
      .gives_o     (gives),
      .given_i     (given),
      .last_i      (last),
      .squeezes_o  (squeezes)
  );
  sha3_left u_left (
      .clk_i,
      .wipe_i(wipe_q),
      .load_i(load),
      .op_i(cmd_i.op),
      .rate_i(cmd_i.rate),
      .lanes_i(cmd_i.lanes),
      .length_i(cmd_i.length),
      .rate_o(rate),
      .bytes_o(bytes),
      .last_o(last),
      .give_i(given)
  );
  sha3_walk u_walk (
      .clk_i,
      .wipe_i      (wipe_q),
      .load_i      (idle[Passed] && offered[Passed] && cmd_i.op == OpChain),
      .lanes_i     (cmd_i.lanes),
      .steps_i     (cmd_i.steps),
      .counter_i   (cmd_i.counter),
      .tweak_i     (cmd_i.data[223:0]),
      .next_more_o (next_more),
      .next_lanes_o(next_lanes),
      .step_i      (steps != '0),
      .more_o      (entry_more),
      .counter_o   (counter),
      .tweak_o     (tweak)
  );

  // ---------------------------------------------------------------- the states
  logic [1599:0] state, step;
  logic [255:0] value;
  sha3_step u_step (
      .lanes_i  (steps),
      .rate_i   (rate),
      .suffix_i (suffix_q[tag_q]),
      .counter_i(counter),
      .prefix_i (prefix_q),
      .tweak_i  (tweak),
      .value_i  (value),
      .block_o  (step)
  );
  sha3_loop #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG)
  ) u_loop (
      .clk_i,
      .rst_ni        (!wipe_q),
      .end_o         (ends),
      .value_o       (value),
      .begin_i       (begins),
      .keep_i        (keeps),
      .add_i         ((block & {1600{enters}}) | step),
      .state_o       (state),
      .begin_passed_i(squeezes),
      .free_o        (free)
  );

  // ---------------------------------------------------------------- output
  logic output_ready;
  assign given = gives && output_ready;
  sha3_output u_output (
      .clk_i,
      .wipe_i (wipe_q),
      .valid_i(gives),
      .ready_o(output_ready),
      .tag_i  (tag_q + 2'd1),
      .last_i (last),
      .bytes_i(bytes),
      .state_i(state),
      .valid_o(out_valid_o),
      .ready_i(out_ready_i),
      .beat_o (out_o)
  );

endmodule

`default_nettype wire
