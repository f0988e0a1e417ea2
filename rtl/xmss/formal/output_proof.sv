// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The output of the engine: a word that is shown stays as it is until it is taken, and what is
// shown after a start is a whole number of values. The engine starts it when nothing is left to
// send, and stops it only with the command.
`default_nettype none

module output_proof
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire stop_i,
    input wire sign_i,
    input wire leaf_i,
    input wire given_i,
    input wire n24_i,
    input wire slot_t len_i,
    input wire state_t r_i,
    input wire [Slots-1:0] ended_i,
    input wire state_t value_i,
    input wire ready_i,
    output logic differs_o
);
  logic done, valid, last, start;
  logic [63:0] data;
  logic [6:0] slot;
  slot_t unused_slot;
  logic unused_passed;
  logic [Slots-1:0] unused_used;
  assign start = (sign_i || leaf_i) && done;

  // Values of the set, which does not change while something is sent.
  logic n24, n24_q;
  assign n24 = start ? n24_i : n24_q;
  xmss_output u_output (
      .clk_i,
      .rst_ni,
      .stop_i,
      .sign_i(sign_i && start),
      .leaf_i(leaf_i && start),
      .given_i,
      .n24_i(n24),
      .window_i('0),
      .len_i(len_i > slot_t'(Len) ? slot_t'(Len) : len_i),
      .r_i,
      .ended_i,
      .used_o(unused_used),
      .slot_o(unused_slot),
      .value_i,
      .passed_o(unused_passed),
      .done_o(done),
      .valid_o(valid),
      .ready_i,
      .data_o(data),
      .slot_out_o(slot),
      .last_o(last)
  );
  wire unused = &{unused_passed, unused_slot, unused_used};

  // The word that was shown and not taken in the last cycle.
  logic waits_q, last_q;
  logic [63:0] data_q;
  logic [ 6:0] slot_q;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && !stop_i && valid && !ready_i;
    {data_q, slot_q, last_q} <= {data, slot, last};
    n24_q <= n24;
  end
  // Values that are left: to be picked, on their way, being sent.
  logic counted;
  assign counted   = u_output.picks_q <= slot_t'(Len) && u_output.left_q == u_output.picks_q + 7'(2'(u_output.state_q) != '0) + 7'(valid);
  assign differs_o = (waits_q && (!valid || {data, slot, last} != {data_q, slot_q, last_q})) || (valid && done) || !counted;
endmodule

`default_nettype wire
