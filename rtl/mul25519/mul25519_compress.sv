// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Adds `IN` rows down to `OUT` rows by levels of 3:2 carry-save adders; the sum is kept modulo
// 2^WIDTH. With `FOUR` the levels are of 4:2 adders as long as there are four rows: as large as two
// levels of the others, with three XORs in place of four.
`default_nettype none

module mul25519_compress #(
    parameter int unsigned IN = 3,
    parameter int unsigned OUT = 2,
    parameter int unsigned WIDTH = 8,
    parameter bit FOUR = 1'b0
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
    localparam int unsigned Each = FOUR && IN > 3 ? 4 : 3;
    localparam int unsigned Groups = IN / Each;
    localparam int unsigned Next = IN - Groups * (Each - 2);
    logic [WIDTH-1:0] next[Next];

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic [WIDTH-1:0] x, y, z, odd;
      logic [WIDTH-2:0] carry;
      assign x = rows_i[Each*g];
      assign y = rows_i[Each*g+1];
      assign z = rows_i[Each*g+2];
      assign carry = (WIDTH - 1)'((x & y) | (z & (x ^ y)));
      if (Each == 3) begin : gen_three
        assign odd = x ^ y ^ z;
        assign next[2*g] = odd;
        assign next[2*g+1] = {carry, 1'b0};
      end else begin : gen_four
        // The carry of the first three goes to the next bit of the same level.
        logic [WIDTH-1:0] last, from;
        logic [WIDTH-2:0] second;
        assign last = rows_i[Each*g+3];
        assign from = {carry, 1'b0};
        assign odd = (x ^ y) ^ (z ^ last);
        assign second = (WIDTH - 1)'((odd & from) | (~odd & last));
        assign next[2*g] = odd ^ from;
        assign next[2*g+1] = {second, 1'b0};
      end
    end
    for (genvar i = Each * Groups; i < IN; i++) begin : gen_rest
      assign next[i-Groups*(Each-2)] = rows_i[i];
    end

    mul25519_compress #(
        .IN(Next),
        .OUT(OUT),
        .WIDTH(WIDTH),
        .FOUR(FOUR)
    ) u_next (
        .rows_i(next),
        .rows_o(rows_o)
    );
  end
endmodule

`default_nettype wire
