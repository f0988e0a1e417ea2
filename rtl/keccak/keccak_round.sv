// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// One round of Keccak-p[1600, 24], with or without a register inside it.
`default_nettype none

module keccak_round
  import keccak_pkg::*;
#(
    parameter int unsigned UNROLL = 2,  // rounds in the loop
    parameter int unsigned INDEX = 0,  // which of them this is
    // Place of the inner register: 0 none, 1 between theta2 and theta3, 2 between theta and rho, 3
    // between pi and chi.
    parameter int unsigned INNER = 1,
    // 1: a slot without a block reads as zero, and theta3 of planes 0 and 2 is done before the
    // inner register, so that every bit of chi has at most five inputs and a message bit can be
    // added to it.
    parameter bit CLEAR = 1'b0,
    // 1: a slot without a block keeps its state. Every round moves it by rho and pi alone, and the
    // last one of the loop puts it back.
    parameter bit HOLD = 1'b0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire state_t state_i,
    input wire ctl_t ctl_i,
    output state_t state_o,
    output ctl_t ctl_o
);

  localparam logic [4:0] Early = CLEAR ? 5'b00101 : 5'b00000;

  plane_t d;
  state_t chi_in;
  assign d = HOLD && !ctl_i.valid ? '0 : theta2(theta1(state_i));

  if (INNER == 0) begin : g_flat
    assign chi_in = rho_pi(theta3(state_i, d, '1));
    assign ctl_o  = ctl_i;
    wire unused = &{clk_i, rst_ni};
  end else begin : g_inner
    state_t a_q, a_d;
    assign a_d = INNER == 1 ? theta3(state_i, d, Early) : INNER == 2 ? theta3(state_i, d, '1) : rho_pi(theta3(state_i, d, '1));

    always_ff @(posedge clk_i) begin
      if (CLEAR && !ctl_i.valid) a_q <= '0;
      else a_q <= a_d;
    end

    always_ff @(posedge clk_i) begin
      ctl_o <= ctl_i;
      if (!rst_ni) ctl_o.valid <= 1'b0;
    end

    if (INNER == 1) begin : g_split
      plane_t d_q;
      always_ff @(posedge clk_i) begin
        if (CLEAR && !ctl_i.valid) d_q <= '0;
        else d_q <= d;
      end
      assign chi_in = rho_pi(theta3(a_q, d_q, ~Early));
    end else if (INNER == 2) begin : g_theta
      assign chi_in = rho_pi(a_q);
    end else begin : g_pi
      assign chi_in = a_q;
    end
  end

  // The round constant of a pass: a sum of products, not a chain.
  function automatic logic [6:0] lookup(input logic valid, input logic [4:0] pass);
    logic [6:0] k;
    k = '0;
    for (int unsigned p = 0; p < Rounds / UNROLL; p++)
    k |= IotaConstants[p*UNROLL+INDEX] & {7{pass == 5'(p) && (valid || !(CLEAR || HOLD))}};
    return k;
  endfunction

  // With an inner register the constant is looked up before it.
  logic [6:0] constant;
  if (INNER == 0) begin : g_constant
    assign constant = lookup(ctl_i.valid, ctl_i.pass);
  end else begin : g_constant_q
    always_ff @(posedge clk_i) constant <= lookup(ctl_i.valid, ctl_i.pass);
  end

  localparam bit Last = INDEX == UNROLL - 1;
  state_t round, held;
  always_comb begin
    round = chi(chi_in, ctl_o.valid || Last || !HOLD);
    round[0][0] = round[0][0] ^ spread(constant);
    held = chi_in;
    for (int unsigned r = 0; r < UNROLL; r++) held = rho_pi_back(held);
  end
  assign state_o = HOLD && Last && !ctl_o.valid ? held : round;

endmodule

`default_nettype wire
