// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Adds `In` rows down to `Out` rows by levels of 3:2 carry-save adders; the sum is kept modulo
// 2^Width.
`default_nettype none

module mul25519_compress #(
    parameter int unsigned IN = 3,
    parameter int unsigned OUT = 2,
    parameter int unsigned WIDTH = 8
) (
    input  wire  [WIDTH-1:0] rows_i[ IN],
    output logic [WIDTH-1:0] rows_o[OUT]
);
  if (IN <= OUT) begin : gen_wires
    for (genvar i = 0; i < OUT; i++) begin : gen_row
      if (i < IN) begin : gen_used
        assign rows_o[i] = rows_i[i];
      end else begin : gen_zero
        assign rows_o[i] = '0;
      end
    end
  end else begin : gen_level
    localparam int unsigned Groups = IN / 3;
    localparam int unsigned Next = IN - Groups;
    logic [WIDTH-1:0] next[Next];

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic [WIDTH-1:0] x, y, z;
      logic [WIDTH-2:0] carry;
      assign x = rows_i[3*g];
      assign y = rows_i[3*g+1];
      assign z = rows_i[3*g+2];
      assign carry = (WIDTH - 1)'((x & y) | (z & (x ^ y)));
      assign next[2*g] = x ^ y ^ z;
      assign next[2*g+1] = {carry, 1'b0};
    end
    for (genvar i = 3 * Groups; i < IN; i++) begin : gen_rest
      assign next[i-Groups] = rows_i[i];
    end

    mul25519_compress #(
        .IN(Next),
        .OUT(OUT),
        .WIDTH(WIDTH)
    ) u_next (
        .rows_i(next),
        .rows_o(rows_o)
    );
  end
endmodule

`default_nettype wire
