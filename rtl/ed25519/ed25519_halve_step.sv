// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One bit of a quotient: the lower row off the upper one, where it fits, and their multiples of k
// together.
`default_nettype none

module ed25519_halve_step
  import ed25519_pkg::*;
(
    // Less than twice the lower remainder.
    input wire [256:0] upper_i,
    input wire [255:0] lower_i,
    input wire [HalfBits-1:0] upper_t_i,
    input wire [HalfBits-1:0] lower_t_i,
    output logic [256:0] rest_o,
    output logic [HalfBits-1:0] sum_o
);
  logic [257:0] difference;
  logic fits;

  assign difference = {1'b0, upper_i} - {2'b00, lower_i};
  assign fits = !difference[257];
  assign rest_o = fits ? difference[256:0] : upper_i;
  assign sum_o = fits ? upper_t_i + lower_t_i : upper_t_i;
endmodule

`default_nettype wire
