// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A multiplier that forgets: of the products that went through it nothing is left once factors and
// term are zero for as long as a product takes. `flow/wiped.ys` compares two copies whose registers
// held anything.
`default_nettype none

module wiped_proof
  import mul25519_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned SLOTS = 1,
    parameter int unsigned KARATSUBA = 0,
    parameter bit BOOTH = 1'b0
) (
    input wire clk_i,
    output logic [256:0] r_o,
    output logic [256:0] s_o,
    output logic [256:0] m_o,
    output logic wiped_by_o
);
  mul25519 #(
      .LATENCY(LATENCY),
      .SLOTS(SLOTS),
      .KARATSUBA(KARATSUBA),
      .BOOTH(BOOTH)
  ) u_mul (
      .clk_i,
      .mode_i(ModeField),
      .twice_i(1'b0),
      .a_i('0),
      .b_i('0),
      .c_i('0),
      .r_o,
      .s_o,
      .m_o
  );
  assign wiped_by_o = 1'b1;
endmodule

`default_nettype wire
