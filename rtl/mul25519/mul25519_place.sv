// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The leaves of Karatsuba's method added down to two rows each, and their terms, shifted and
// complemented where they are taken off, placed in rows of the whole product. The rows add up to it
// modulo 2^513.
`default_nettype none

module mul25519_place
  import mul25519_karatsuba_pkg::*;
#(
    parameter  int unsigned LEVELS = 1,
    parameter  int unsigned WIDTH  = 258,
    parameter  int unsigned EACH   = 16,
    localparam int unsigned Leaves = leaf_count(LEVELS),
    localparam int unsigned Terms  = 2 ** LEVELS,
    localparam int unsigned Rows   = 2 * row_count(LEVELS) + 1
) (
    input wire [WIDTH-1:0] leaves_i[Leaves*EACH],
    output logic [512:0] rows_o[Rows]
);
  localparam places_t Places = places(LEVELS);
  logic [512:0] fields[Leaves*MaxTerms][2];

  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    localparam int unsigned Bits = 2 * leaf_bits(i, LEVELS);
    logic [WIDTH-1:0] rows[EACH], two[2];
    for (genvar r = 0; r < EACH; r++) begin : gen_row
      assign rows[r] = leaves_i[EACH*i+r];
    end
    mul25519_compress #(
        .IN(EACH),
        .OUT(2),
        .WIDTH(WIDTH)
    ) u_compress (
        .rows_i(rows),
        .rows_o(two)
    );
    for (genvar t = 0; t < MaxTerms; t++) begin : gen_term
      for (genvar k = 0; k < 2; k++) begin : gen_two
        if (t < Terms && has_term(i, t, LEVELS)) begin : gen_used
          localparam int unsigned Low = part_bits(LEVELS) * shift(i, t, LEVELS);
          assign fields[MaxTerms*i+t][k] = 513'(two[k][Bits-1:0] ^ {Bits{taken(t)}}) << Low;
        end else begin : gen_none
          assign fields[MaxTerms*i+t][k] = '0;
        end
      end
    end
    if (Bits < WIDTH) begin : gen_unused
      logic unused_zeros;
      assign unused_zeros = ^{two[0][WIDTH-1:Bits], two[1][WIDTH-1:Bits]};
    end
  end

  always_comb begin
    for (int unsigned r = 0; r < Rows - 1; r++) rows_o[r] = '0;
    for (int unsigned i = 0; i < Leaves * MaxTerms; i++) begin
      for (int unsigned k = 0; k < 2; k++) rows_o[2*int'(Places[i])+k] |= fields[i][k];
    end
    rows_o[Rows-1] = correction(LEVELS);
  end
endmodule

`default_nettype wire
