// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The decision. It is bad until the last root has been compared, and good where that comparison is
// good twice: when the root is there, and while the answer is shown. Codes differ in four bits at
// least, so that a bit that flips makes none of another.
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
  // The root over a public key decides nothing.
  localparam logic [7:0] DueTop = xmss_control_pkg::DueNothing;
  localparam logic [7:0] DueRoot = xmss_control_pkg::DueRoot;
  verdict_e verdict_q;
  logic [7:0] due_q;
  assign bottom_o = due_q == DueRoot;
  assign passes_o = judge_i && due_q == DueTop && same_i;
  always_comb begin
    verdict_o = xmss_control_pkg::VerdictBad;
    if (verdict_q == xmss_control_pkg::VerdictError) verdict_o = xmss_control_pkg::VerdictError;
    if (verdict_q == xmss_control_pkg::VerdictGood && bottom_o && same_i) begin
      verdict_o = xmss_control_pkg::VerdictGood;
    end
  end

  always_ff @(posedge clk_i) begin
    if (judge_i && bottom_o && same_i && verdict_q == xmss_control_pkg::VerdictBad) begin
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
