// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The leaves of Karatsuba's method (mul25519_karatsuba_pkg): sums of parts of both factors, and
// their tiles as rows.
`default_nettype none

module mul25519_leaves
  import mul25519_karatsuba_pkg::*;
#(
    parameter  int unsigned LEVELS = 1,
    parameter  int unsigned TILE_A = 17,
    parameter  int unsigned TILE_B = 17,
    parameter  int unsigned WIDTH  = 258,
    parameter  int unsigned EACH   = 16,
    localparam int unsigned Leaves = leaf_count(LEVELS)
) (
    input wire [255:0] a_i,
    input wire [255:0] b_i,
    output logic [WIDTH-1:0] rows_o[Leaves*EACH]
);
  localparam int unsigned Part = part_bits(LEVELS);

  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    localparam int unsigned Bits = leaf_bits(i, LEVELS);
    logic [Bits-1:0] a, b;
    logic [WIDTH-1:0] rows[EACH];

    always_comb begin
      a = '0;
      b = '0;
      for (int unsigned p = 0; p < 2 ** LEVELS; p++) begin
        if (has_part(i, p, LEVELS)) begin
          a += Bits'(a_i[Part*p+:Part]);
          b += Bits'(b_i[Part*p+:Part]);
        end
      end
    end
    mul25519_leaf #(
        .WIDTH (Bits),
        .TILE_A(TILE_A),
        .TILE_B(TILE_B),
        .OUT   (WIDTH)
    ) u_leaf (
        .a_i(a),
        .b_i(b),
        .rows_o(rows)
    );
    for (genvar r = 0; r < EACH; r++) begin : gen_row
      assign rows_o[EACH*i+r] = rows[r];
    end
  end
endmodule

`default_nettype wire
