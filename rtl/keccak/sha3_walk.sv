// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The hash chain of each tag: tweak, counter, steps that are left. All goes round with the slots.
`default_nettype none

module sha3_walk
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    // A chain for the slot that passed the entry a cycle ago.
    input wire load_i,
    input wire [2:0] lanes_i,
    input wire [15:0] steps_i,
    input wire [31:0] counter_i,
    input wire [223:0] tweak_i,
    // The slot that passes the entry in the next cycle.
    output logic next_more_o,  // a step is left
    output logic [2:0] next_lanes_o,
    // The slot that passes it.
    input wire step_i,  // a step begins
    output logic more_o,
    output logic [31:0] counter_o,
    output logic [223:0] tweak_o
);

  typedef struct packed {
    logic stepped;  // a step began in this turn
    logic carry;  // into the upper half of the counter
    logic more;  // steps are left
    logic [2:0] lanes;
    logic [15:0] steps;
    logic [31:0] counter;
    logic [223:0] tweak;
  } walk_t;

  walk_t [3:0] walk_q, walk_d;
  walk_t fresh, kept;
  assign fresh = '{stepped: 1'b0, carry: 1'b0, more: 1'b0, lanes: lanes_i, steps: steps_i, counter: counter_i, tweak: tweak_i};

  always_comb begin
    kept = walk_q[Passed];
    if (kept.stepped) kept.steps = kept.steps - 16'd1;
    {kept.carry, kept.counter[15:0]} = {1'b0, kept.counter[15:0]} + {16'd0, kept.stepped};
    walk_d = walk_q;
    walk_d[Entry].stepped = step_i;
    walk_d[Passed] = (fresh & {$bits(walk_t) {load_i}}) | (kept & {$bits(walk_t) {!load_i && !wipe_i}});
    walk_d[Half].more = walk_q[Half].steps != '0;
    walk_d[Half].counter[31:16] = walk_q[Half].counter[31:16] + {15'd0, walk_q[Half].carry};
  end
  always_ff @(posedge clk_i) walk_q <= {walk_d[2:0], walk_d[3]};

  assign next_more_o = walk_q[Next].more;
  assign next_lanes_o = walk_q[Next].lanes;
  assign more_o = walk_q[Entry].more;
  assign counter_o = walk_q[Entry].counter;
  assign tweak_o = walk_q[Entry].tweak;

endmodule

`default_nettype wire
