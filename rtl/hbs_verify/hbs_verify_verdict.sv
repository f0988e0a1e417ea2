// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The decision. It is bad until the last root has been compared, and good where that comparison is
// good twice: when the root is there, and while the answer is shown. Codes differ in four bits at
// least, so that a bit that flips makes none of another.
//
// Each code reads the same when its bits are in the opposite order, a verdict's in either half of
// it. A register that keeps its code takes its own bits in this order. So no two flip-flops have
// the same next state, and a synthesizer does not make one of them.
module hbs_verify_verdict
  import xmss_control_pkg::verdict_e;
(
    input wire clk_i,
    input wire rst_ni,
    input wire accept_i,  // a command begins
    input wire levels_i,  // of HSS: the number of levels is known only later
    input wire single_i,  // there is one level
    input wire judge_i,  // a root is there
    input wire same_i,  // it is the key's
    input wire wrong_i,  // command or stream
    output logic bottom_o,  // the next root decides
    output logic passes_o,  // the signed public key may take the key's place
    output verdict_e verdict_o
);
  // The root over a public key decides nothing. The highest bit tells one from the other.
  localparam logic [7:0] DueTop = xmss_control_pkg::DueNothing;
  localparam logic [7:0] DueRoot = xmss_control_pkg::DueRoot;
  (* fsm_encoding = "none" *) verdict_e verdict_q;
  (* fsm_encoding = "none" *) logic [7:0] due_q;
  // A bit of the code leads the control, and all of it the verdict.
  logic decides;
  assign decides  = due_q == DueRoot;
  assign bottom_o = due_q[7];
  logic [7:0] turned, due_turned;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) {turned[i], due_turned[i]} = {verdict_q[i^3], due_q[i^7]};
  end
  assign passes_o = judge_i && due_q == DueTop && same_i;
  always_comb begin
    verdict_o = xmss_control_pkg::VerdictBad;
    if (verdict_q == xmss_control_pkg::VerdictError) verdict_o = xmss_control_pkg::VerdictError;
    if (verdict_q == xmss_control_pkg::VerdictGood && decides && same_i) begin
      verdict_o = xmss_control_pkg::VerdictGood;
    end
  end

  always_ff @(posedge clk_i) begin
    verdict_q <= verdict_e'(turned);
    due_q <= due_turned;
    if (judge_i && decides && same_i && verdict_q == xmss_control_pkg::VerdictBad) begin
      verdict_q <= xmss_control_pkg::VerdictGood;
    end
    if (single_i || passes_o) due_q <= DueRoot;
    if (accept_i || !rst_ni) begin
      verdict_q <= xmss_control_pkg::VerdictBad;
      due_q <= levels_i || !rst_ni ? DueTop : DueRoot;
    end
    if (wrong_i) verdict_q <= xmss_control_pkg::VerdictError;
  end
endmodule

`default_nettype wire
