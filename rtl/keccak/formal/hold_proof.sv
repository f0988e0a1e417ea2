// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A slot of sha3_loop in which no permutation runs holds its state: what stands behind the entry
// stands there again four cycles later, whatever it was and whatever the other slots do.
`default_nettype none

module hold_proof
  import keccak_pkg::*;
#(
    parameter int unsigned INNER = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire begin_i,
    input wire begin_passed_i,
    input wire keep_i,
    input wire state_t add_i,
    output logic differs_o
);

  logic ends, free, held_q;
  lane_t [3:0] value;
  state_t state, state_q;
  logic [2:0] turn_q;  // cycles since the state was noted; 0: none was
  assign held_q = turn_q == 3'd4;
  sha3_loop #(
      .INNER(INNER)
  ) u_loop (
      .clk_i,
      .rst_ni,
      .end_o         (ends),
      .value_o       (value),
      .begin_i       (begin_i && turn_q != 3'd3),
      .keep_i        (keep_i || turn_q == 3'd3),
      .add_i         (turn_q == 3'd3 ? '0 : add_i),
      .state_o       (state),
      .begin_passed_i(begin_passed_i && turn_q != 3'd0 && !held_q),
      .free_o        (free)
  );
  wire unused = &{ends, free, value};

  // The slot behind the entry is noted in the first cycle after a reset, when nothing runs.
  always_ff @(posedge clk_i) begin
    if (turn_q == 3'd0) state_q <= state;
    turn_q <= !rst_ni ? 3'd0 : held_q ? 3'd4 : turn_q + 3'd1;
  end
  logic once_q;
  always_ff @(posedge clk_i) once_q <= rst_ni && held_q;
  assign differs_o = held_q && !once_q && state != state_q;

endmodule

`default_nettype wire
