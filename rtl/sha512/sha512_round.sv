// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One round of SHA-512 (FIPS 180-4, Section 6.4.2 (SHA-512 Hash Computation), step 3) and the next
// word of the schedule (step 1).
`default_nettype none

module sha512_round (
    input wire [7:0][63:0] state_i,
    input wire [63:0] constant_i,
    input wire [63:0] word_i,
    output logic [7:0][63:0] state_o
);
  logic [63:0] a, b, c, d, e, f, g, h, sum0, sum1, choice, majority, t1;
  assign {a, b, c, d, e, f, g, h} = state_i;

  assign sum0 = {a[27:0], a[63:28]} ^ {a[33:0], a[63:34]} ^ {a[38:0], a[63:39]};
  assign sum1 = {e[13:0], e[63:14]} ^ {e[17:0], e[63:18]} ^ {e[40:0], e[63:41]};
  assign choice = (e & f) ^ (~e & g);
  assign majority = (a & b) ^ (a & c) ^ (b & c);
  assign t1 = h + sum1 + choice + constant_i + word_i;
  assign state_o = {t1 + sum0 + majority, a, b, c, d + t1, e, f, g};
endmodule

`default_nettype wire
