// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The first half of the fast reduction: the product in two rows becomes a short number in two rows
// and a few bits.
//
// Field: 2^255 = 19 = 16 + 2 + 1 (mod p) is applied to each row (table 8 of the paper, for rows
// that are not yet added and for 255 low bits; all terms are positive). With hi and lo the parts of
// a row from and below bit 255, lo + (16 hi mod 2^255) + (2 hi mod 2^255) + hi + 19 tops, where
// tops = (hi >> 251) + (hi >> 254), summed over both rows: eight terms, which leave as four;
// `mul25519_reduce` adds them down to two. The rows add up to less than 2^511, so both hi together
// are below 2^256, the rows here below 8 * 2^255 and tops at most 31 + 3. Low: bits 256 to 0. High:
// bits 512 to 257. Scalar: the signed 257-bit number in bits 256 to 0.
//
// With WRAPS the rows add up to the product modulo 2^513 only. As it is below 2^511, the rows' bits
// from 511 up, two of each, add up to 0, 3 or 4, and 3 stands for -1: then 2^511 = 38 * 2^255 (mod
// p) is taken off the tops, which are signed and from -4 to 34. The two hi may add up to 2^257, and
// the rows here are below 10 * 2^255. Scalar: `scalar_i`.
`default_nettype none

module mul25519_fold
  import mul25519_pkg::*;
#(
    parameter bit WRAPS = 1'b0,
    parameter bit FOUR  = 1'b0
) (
    input wire mode_e mode_i,
    input wire [512:0] rows_i[2],
    input wire [256:0] scalar_i,
    output logic [Width-1:0] rows_o[4],
    output logic [6:0] tops_o
);
  logic [Width-1:0] terms[8];
  logic [255:0] high[2];
  logic [256:0] scalar[2];

  for (genvar i = 0; i < 2; i++) begin : gen_row
    assign scalar[i] = !WRAPS ? rows_i[i][256:0] : i == 0 ? scalar_i : '0;
    assign high[i]   = mode_i == ModeField ? rows_i[i][510:255] : '0;
    always_comb begin
      unique case (mode_i)
        ModeField: terms[i] = Width'(rows_i[i][254:0]);
        ModeHigh:  terms[i] = Width'(rows_i[i][512:257]);
        ModeLow:   terms[i] = Width'(rows_i[i][256:0]);
        default:   terms[i] = Width'(scalar[i]);
      endcase
    end
    assign terms[2+i] = Width'({high[i][250:0], 4'b0});
    assign terms[4+i] = Width'({high[i][253:0], 1'b0});
    assign terms[6+i] = Width'(high[i]);
  end
  logic less;
  assign less   = WRAPS && (rows_i[0][511] ^ rows_i[1][511]);
  assign tops_o = 7'(high[0][255:251]) + 7'(high[1][255:251]) + 7'(high[0][255:254]) + 7'(high[1][255:254]) - (less ? 7'd38 : 7'd0);

  mul25519_compress #(
      .IN(8),
      .OUT(4),
      .WIDTH(Width),
      .FOUR(FOUR)
  ) u_compress (
      .rows_i(terms),
      .rows_o(rows_o)
  );

  if (!WRAPS) begin : gen_unused
    logic unused_scalar;
    assign unused_scalar = ^scalar_i;
  end
endmodule

`default_nettype wire
