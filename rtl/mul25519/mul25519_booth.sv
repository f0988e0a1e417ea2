// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The product in two rows that are not yet added, by Booth's method: no tiles, and no addition
// before the end. Groups of digits are brought to two rows each. As with Karatsuba's method the
// rows add up to the product modulo 2^513 only.
//
// Each group is 2^258 (4^Digits - 1) too much at its place, all together 2^514 - 2^258: a 1 at bit
// 258 puts that right.
`default_nettype none

module mul25519_booth
  import mul25519_cuts_pkg::*;
#(
    parameter int unsigned LATENCY = 2
) (
    input wire clk_i,
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    output logic [512:0] rows_o[2]
);
  localparam int unsigned Digits = 16;
  localparam int unsigned Groups = 128 / Digits;
  localparam int unsigned Width = 2 * Digits + 261;
  localparam int unsigned Rows = 2 * Groups + 2;
  localparam cuts_t Cuts = cuts(LATENCY, 1'b1);

  logic [256:0] in[2], in_q[2];
  logic [258:0] b;
  logic [512:0] rows[Rows];

  assign in = '{a_i, {1'b0, b_i}};
  mul25519_stage #(
      .REGISTER(Cuts.entry),
      .ROWS(2),
      .WIDTH(257)
  ) u_cut_in (
      .clk_i,
      .rows_i(in),
      .rows_o(in_q)
  );
  // A digit of zero below the lowest one.
  assign b = {in_q[1][255:0], 3'b0};

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [Width-1:0] two[2];
    mul25519_multiples #(
        .DIGITS(Digits)
    ) u_multiples (
        .a_i(in_q[0]),
        .b_i(b[2*Digits*g+:2*Digits+3]),
        .rows_o(two)
    );
    for (genvar k = 0; k < 2; k++) begin : gen_row
      assign rows[2*g+k] = 513'((515'(two[k]) << (2 * Digits * g)) >> 2);
    end
  end
  // The last digit is 0 or 1, and has the sign of the one before below it.
  assign rows[Rows-2] = {{257{b[258]}} & in_q[0], 1'b0, b[258] && !(b[256] && b[257]), 254'b0};
  assign rows[Rows-1] = 513'(1) << 258;

  mul25519_sum #(
      .LATENCY(LATENCY),
      .BOOTH(1'b1),
      .ROWS(Rows)
  ) u_sum (
      .clk_i,
      .rows_i(rows),
      .rows_o
  );

  logic unused_top;
  assign unused_top = in_q[1][256];
endmodule

`default_nettype wire
