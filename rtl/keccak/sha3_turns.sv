// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The phase of each tag, and what its slot does as it passes the entry. That is decided a cycle
// before, so that it comes from registers.
`default_nettype none

module sha3_turns
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    // A command for the slot at one of the places.
    input wire [3:0] load_i,
    input wire op_e op_i,
    output logic [3:0] idle_o,  // which of them are idle
    // The slot that passes the entry in the next cycle.
    input wire enters_i,  // a block is added
    input wire free_i,  // no permutation runs in it by then
    input wire more_i,  // a step of its chain is left
    input wire [2:0] lanes_i,
    // The slot that passes it: what it does.
    output logic enters_o,  // a block is added
    output logic [4:2] steps_o,  // a step of a chain of so many lanes
    output logic begins_o,  // a permutation begins
    output logic keeps_o,  // its state stays
    // and what becomes of it.
    input wire end_e ending_i,  // how its block ends
    input wire ends_i,  // its permutation ends
    input wire entry_more_i,  // steps of its chain were left
    // The slot that passed it a cycle ago.
    output logic gives_o,  // has output
    input wire given_i,  // which is taken,
    input wire last_i,  // the last of it
    output logic squeezes_o  // a permutation begins, for more of it
);

  typedef struct packed {
    phase_e phase;
    logic   gives;
    logic   zero;   // the message starts from the zero state
  } turn_t;

  turn_t [3:0] turn_q, turn_d;
  turn_t entry, passed, fresh;
  assign fresh.gives = op_i == OpSave;
  assign fresh.zero  = op_i == OpHash;
  always_comb begin
    unique case (op_i)
      OpHash, OpResume: fresh.phase = Absorb;
      OpLoad: fresh.phase = Load;
      OpSave: fresh.phase = Squeeze;
      OpChain: fresh.phase = Value;
      default: fresh.phase = Idle;
    endcase
  end

  // At the entry.
  always_comb begin
    entry = turn_q[Entry];
    if (enters_o) begin
      entry.zero = 1'b0;
      unique case (turn_q[Entry].phase)
        Load: entry.phase = Idle;
        Value: begin
          entry.phase = entry_more_i ? Chain : Squeeze;
          entry.gives = !entry_more_i;
        end
        default: entry.phase = ending_i == EndPad ? Squeeze : ending_i == EndPause ? Pause : Absorb;
      endcase
    end else if (ends_i && steps_o == '0) begin
      entry.gives = turn_q[Entry].phase == Squeeze || turn_q[Entry].phase == Chain;
      if (turn_q[Entry].phase == Chain) entry.phase = Squeeze;
      if (turn_q[Entry].phase == Pause) entry.phase = Idle;
    end
  end

  // Behind it: the state there is output until it is taken.
  assign gives_o = turn_q[Passed].gives && !wipe_i;
  assign squeezes_o = given_i && !last_i;
  always_comb begin
    passed = turn_q[Passed];
    if (given_i) passed.gives = 1'b0;
    if (given_i && last_i) passed.phase = Idle;
  end

  always_comb begin
    turn_d = turn_q;
    turn_d[Entry] = entry;
    turn_d[Passed] = passed;
    for (int unsigned p = 0; p < Tags; p++) begin
      if (load_i[p]) turn_d[p] = fresh;
      idle_o[p] = !turn_q[p].phase[3];
    end
    if (wipe_i) turn_d = '0;
  end
  always_ff @(posedge clk_i) turn_q <= {turn_d[2:0], turn_d[3]};

  // In front of it.
  logic steps, absorbs_q, zeroes_q, clears_q;
  assign steps = turn_q[Next].phase == Chain && more_i && free_i && !wipe_i;
  always_ff @(posedge clk_i) begin
    enters_o  <= enters_i;
    steps_o   <= {lanes_i[2], lanes_i == 3'd3, lanes_i == 3'd2} & {3{steps}};
    absorbs_q <= turn_q[Next].phase == Absorb && !wipe_i;
    zeroes_q  <= turn_q[Next].zero || turn_q[Next].phase != Absorb || wipe_i;
    clears_q  <= steps || wipe_i;
  end
  assign begins_o = steps_o != '0 || (enters_o && absorbs_q);
  assign keeps_o  = !clears_q && !(enters_o && zeroes_q);

endmodule

`default_nettype wire
