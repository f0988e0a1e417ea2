// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// No verdict of HSS with two levels is good before the root of the higher tree was the key's: while
// the top is due, or a code with one bit of it flipped, whatever the verdict holds and the roots
// say, the verdict shown is not good, and becomes none that is. Nor is it where the last root is
// not the key's while it is shown. The control is told of the last root where that is due, and not
// of it where the top is.
`default_nettype none

module hbs_levels_proof (
    input  wire  clk_i,
    input  wire  rst_ni,
    input  wire  accept_i,
    input  wire  levels_i,
    input  wire  single_i,
    input  wire  judge_i,
    input  wire  same_i,
    input  wire  wrong_i,
    output logic differs_o
);
  logic passes, bottom;
  logic [7:0] verdict;
  hbs_verify_verdict u_verdict (
      .clk_i,
      .rst_ni,
      .accept_i,
      .levels_i,
      .single_i,
      .judge_i,
      .same_i,
      .wrong_i,
      .bottom_o (bottom),
      .passes_o (passes),
      .verdict_o(verdict)
  );

  function automatic logic near(logic [7:0] found, logic [7:0] code);
    near = found == code;
    for (int unsigned i = 0; i < 8; i++) near |= found == (code ^ (8'd1 << i));
  endfunction

  // The top stays due until its root is the key's, or the stream says that there is one level.
  logic top, begins_q, stays_q;
  assign top = near(u_verdict.due_q, xmss_control_pkg::DueNothing);
  always_ff @(posedge clk_i) begin
    begins_q <= !rst_ni || (accept_i && levels_i);
    stays_q  <= top && rst_ni && !accept_i && !single_i && !(judge_i && same_i);
  end
  logic due_top, due_root, good, bad_q;
  assign due_top  = u_verdict.due_q == xmss_control_pkg::DueNothing;
  assign due_root = u_verdict.due_q == xmss_control_pkg::DueRoot;
  always_ff @(posedge clk_i) bad_q <= top && 8'(u_verdict.verdict_q) != 8'(xmss_control_pkg::VerdictGood);
  assign good = verdict == 8'(xmss_control_pkg::VerdictGood);
  assign differs_o = (due_top && bottom) || (due_root && !bottom) || (good && (top || !same_i)) ||
      (bad_q && 8'(u_verdict.verdict_q) == 8'(xmss_control_pkg::VerdictGood)) ||
      ((begins_q || stays_q) && !top) || (passes && !(judge_i && same_i));
endmodule

`default_nettype wire
