// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Each row of mul25519_multiples, before they are added, is what its head says: four times a digit
// of b times a, and 3 * 2^258 more, without the 1 that a negative multiple lacks; and the 1 that
// the row before lacks. For all a and b.
`default_nettype none

module multiples_proof #(
    parameter int unsigned DIGITS = 16,
    localparam int unsigned Width = 2 * DIGITS + 261
) (
    input wire [256:0] a_i,
    input wire [2*DIGITS+2:0] b_i,
    output logic differs_o
);
  logic [Width-1:0] sum[2];
  mul25519_multiples #(
      .DIGITS(DIGITS)
  ) u_multiples (
      .a_i,
      .b_i,
      .rows_o(sum)
  );

  // A digit is -2 times its highest bit, and the two others.
  function automatic logic less(logic [2:0] bits);
    return bits inside {3'd4, 3'd5, 3'd6};
  endfunction

  logic [DIGITS-1:0] wrong;
  for (genvar k = 0; k < DIGITS; k++) begin : gen_digit
    logic [2:0] bits;
    logic [Width-1:0] multiple, row;
    assign bits = b_i[2*k+2+:3];
    always_comb begin
      unique case (bits)
        3'd1, 3'd2: multiple = Width'(a_i);
        3'd3: multiple = Width'(a_i) << 1;
        3'd4: multiple = -(Width'(a_i) << 1);
        3'd5, 3'd6: multiple = -Width'(a_i);
        default: multiple = '0;
      endcase
      row = (multiple + (Width'(3) << 258) - Width'(less(bits))) << 2;
      row += Width'(less(b_i[2*k+:3]));
    end
    assign wrong[k] = u_multiples.rows[k] != row << (2 * k);
  end
  assign differs_o = |wrong;

  logic unused;
  assign unused = ^{sum[0], sum[1]};
endmodule

`default_nettype wire
