// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The decision on a stream none of whose roots is the key's (`same_i` is 0): until a further
// command begins the verdict is not good and no signed key takes the key's place, whatever the
// other inputs say, and with one bit flipped in each of the two registers that decide.
`default_nettype none

module hbs_verdict_proof (
    input  wire  clk_i,
    input  wire  rst_ni,
    input  wire  accept_i,
    input  wire  levels_i,
    input  wire  single_i,
    input  wire  judge_i,
    input  wire  wrong_i,
    output logic differs_o
);
  logic passes;
  logic [7:0] verdict;
  hbs_verify_verdict u_verdict (
      .clk_i,
      .rst_ni,
      .accept_i,
      .levels_i,
      .single_i,
      .judge_i,
      .same_i(1'b0),
      .wrong_i,
      .bottom_o(),
      .passes_o(passes),
      .verdict_o(verdict)
  );

  // The code, or it with one bit flipped.
  function automatic logic near(logic [7:0] found, logic [7:0] code);
    near = found == code;
    for (int unsigned i = 0; i < 8; i++) near |= found == (code ^ (8'd1 << i));
  endfunction

  logic [7:0] held;
  logic flipped, begins_q, goes_on_q;
  assign held = 8'(u_verdict.verdict_q);
  assign flipped = near(held, 8'(xmss_control_pkg::VerdictBad)) || near(held, 8'(xmss_control_pkg::VerdictError));
  always_ff @(posedge clk_i) begin
    begins_q  <= accept_i;
    goes_on_q <= !accept_i && rst_ni && flipped;
  end
  assign differs_o = (begins_q && held != 8'(xmss_control_pkg::VerdictBad) && held != 8'(xmss_control_pkg::VerdictError)) ||
      (goes_on_q && !flipped) || passes || verdict == 8'(xmss_control_pkg::VerdictGood);
endmodule

`default_nettype wire
