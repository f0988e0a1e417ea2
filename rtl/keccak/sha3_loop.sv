// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Four states that go round a loop of UNROLL rounds with four registers, one for each tag. A state
// whose permutation runs is permuted on its way; another comes round as it was.
`default_nettype none

module sha3_loop
  import keccak_pkg::*;
  import sha3_pkg::Entry, sha3_pkg::Passed, sha3_pkg::Next;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 2,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    // The slot that passes the entry.
    output logic end_o,  // its permutation ends
    output lane_t [3:0] value_o,  // the first lanes of its state
    input wire begin_i,  // a permutation begins
    input wire keep_i,  // the state stays, else it is zero
    input wire state_t add_i,  // is added to it
    // The slot that passed it a cycle ago.
    output state_t state_o,
    input wire begin_passed_i,  // a permutation begins there
    // The slot that passes it in the next cycle.
    output logic free_o  // none runs in it by then
);

  localparam int unsigned Passes = Rounds / UNROLL;
  if (UNROLL * (INNER == 0 ? 0 : 1) + (OUTREG == 0 ? 1 : UNROLL) != sha3_pkg::Tags) begin : g_slots
    $error("the loop has not four registers");
  end

  // The permutations that run, by places.
  logic [3:0] run_q;
  logic [3:0][4:0] pass_q;
  logic passed_runs, goes_on;
  assign passed_runs = run_q[Passed] || begin_passed_i;
  assign end_o = run_q[Entry] && pass_q[Entry] == 5'(Passes - 1);
  assign free_o = !run_q[Next] || pass_q[Next] == 5'(Passes - 1);
  assign goes_on = run_q[Entry] && !end_o && !begin_i;

  always_ff @(posedge clk_i) begin
    run_q  <= {4{rst_ni}} & {run_q[2], passed_runs, goes_on || begin_i, run_q[3]};
    pass_q <= {pass_q[2], pass_q[1], goes_on ? pass_q[Entry] + 5'd1 : 5'd0, pass_q[3]};
  end

  state_t in[UNROLL];
  ctl_t in_ctl[UNROLL];
  state_t out[UNROLL];
  ctl_t out_ctl[UNROLL];
  assign in_ctl[0] = '{valid: passed_runs, pass: pass_q[Passed], tag: '0};

  for (genvar r = 0; r < UNROLL; r++) begin : g_round
    keccak_round #(
        .UNROLL(UNROLL),
        .INDEX (r),
        .INNER (INNER),
        .HOLD  (1'b1)
    ) u_round (
        .clk_i,
        .rst_ni,
        .state_i(in[r]),
        .ctl_i  (in_ctl[r]),
        .state_o(out[r]),
        .ctl_o  (out_ctl[r])
    );
    if (r + 1 < UNROLL) begin : g_next
      if (OUTREG != 0) begin : g_reg
        always_ff @(posedge clk_i) begin
          in[r+1] <= out[r];
          in_ctl[r+1] <= out_ctl[r];
          if (!rst_ni) in_ctl[r+1].valid <= 1'b0;
        end
      end else begin : g_wire
        assign in[r+1] = out[r];
        assign in_ctl[r+1] = out_ctl[r];
      end
    end
  end
  wire unused = &{out_ctl[UNROLL-1]};

  state_t loop_q;
  always_ff @(posedge clk_i) loop_q <= (out[UNROLL-1] & {1600{keep_i}}) ^ add_i;
  assign in[0]   = loop_q;
  assign state_o = loop_q;
  assign value_o = out[UNROLL-1][0][3:0];

endmodule

`default_nettype wire
