// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The fast reduction up to the last correction: the product in two rows becomes a short number in two rows.
//
// Field: 2^255 = 19 = 16 + 2 + 1 (mod p) is applied to each row (table 8 of the paper, for rows that are not yet
// added and for 255 low bits; all terms are positive). With hi and lo the parts of a row from and below bit 255,
//   lo + (16 hi mod 2^255) + (2 hi mod 2^255) + hi + 19 (hi >> 251) + 19 (hi >> 254),
// summed over both rows. The rows add up to less than 2^510, so both hi together are below 2^255 and the sum
// is below 7 * 2^255 + 608 < 8 p.
// Low, High: bits 256 to 0, bits 512 to 257. Scalar: a signed 257-bit number, 8L added to a negative one.
`default_nettype none

module mul25519_fold
  import mul25519_pkg::*;
#(
    localparam int unsigned Width = 260
) (
    input wire mode_e mode_i,
    input wire negative_i,
    input wire [512:0] rows_i[2],
    output logic [Width-1:0] rows_o[2]
);
  localparam logic [Width-1:0] Lift = Width'(EightL) - (Width'(1) << 257);

  logic [Width-1:0] terms[9];
  logic [254:0] high[2];
  logic [5:0] tops;
  logic field;

  assign field = mode_i == ModeField;
  for (genvar i = 0; i < 2; i++) begin : gen_row
    assign high[i] = field ? rows_i[i][509:255] : '0;
    always_comb begin
      unique case (mode_i)
        ModeField: terms[i] = Width'(rows_i[i][254:0]);
        ModeHigh:  terms[i] = Width'(rows_i[i][512:257]);
        default:   terms[i] = Width'(rows_i[i][256:0]);
      endcase
    end
    assign terms[2+i] = Width'({high[i][250:0], 4'b0});
    assign terms[4+i] = Width'({high[i][253:0], 1'b0});
    assign terms[6+i] = Width'(high[i]);
  end
  assign tops = 6'(high[0][254:251]) + 6'(high[1][254:251]) + 6'(high[0][254]) + 6'(high[1][254]);
  always_comb begin
    terms[8] = Width'(tops) + Width'({tops, 1'b0}) + Width'({tops, 4'b0});
    if (mode_i == ModeScalar && negative_i) terms[8] = Lift;
  end

  mul25519_compress #(
      .IN(9),
      .OUT(2),
      .WIDTH(Width)
  ) u_compress (
      .rows_i(terms),
      .rows_o(rows_o)
  );
endmodule
