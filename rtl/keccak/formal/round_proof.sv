// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// keccak_round, at every place of the inner register, is the round of the standard's text, for
// every state and round number.
`default_nettype none

module round_proof
  import keccak_pkg::*;
#(
    parameter int unsigned INNER = 1,
    parameter bit CLEAR = 1'b0,
    parameter bit HOLD = 1'b0
) (
    input wire clk_i,
    input wire state_t state_i,
    input wire ctl_t ctl_i,
    output logic differs_o
);

  state_t ours;
  ctl_t   ctl;
  keccak_round #(
      .UNROLL(1),
      .INDEX (0),
      .INNER (INNER),
      .CLEAR (CLEAR),
      .HOLD  (HOLD)
  ) u_round (
      .clk_i,
      .rst_ni (1'b1),
      .state_i,
      .ctl_i,
      .state_o(ours),
      .ctl_o  (ctl)
  );

  logic [1599:0] theirs_d, theirs;
  logic matters_d, matters;
  round_text u_text (
      .a_i    (state_i),
      .round_i(ctl_i.pass),
      .a_o    (theirs_d)
  );
  // With CLEAR, a slot without a block must read as zero; with HOLD, it must keep its state.
  assign matters_d = ctl_i.pass < 5'd24;

  if (INNER == 0) begin : g_now
    assign theirs  = theirs_d;
    assign matters = matters_d;
    wire unused = &{clk_i, ctl};
  end else begin : g_later
    always_ff @(posedge clk_i) begin
      theirs  <= CLEAR && !ctl_i.valid ? '0 : HOLD && !ctl_i.valid ? state_i : theirs_d;
      matters <= matters_d;
    end
    wire unused = &ctl;
  end

  assign differs_o = matters && (ours != theirs);

endmodule

`default_nettype wire
