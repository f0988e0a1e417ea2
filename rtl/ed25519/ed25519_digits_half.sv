// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Digits of the half-size scalars: of u for the multiples of -A, whose sign is that of v, and of v
// for those of R, taken off. v begins where u has as many digits left. Where both ask for an
// addition that of u comes first, and `again_i` says that it has been done.
`default_nettype none

module ed25519_digits_half
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire halved_t halved_i,
    input wire recode_i,
    input wire shift_i,
    input wire again_i,
    output logic none_o,
    output logic both_o,
    output logic [2:0] entry_o,
    output logic negative_o
);
  logic [7:0] ahead_q;
  logic added_q, flip_q, u_none, u_negative, u_due, v_none, v_negative, v_due;
  logic [1:0] u_entry, v_entry;

  ed25519_digits_short #(
      .DIGITS(NafDigits)
  ) u_u (
      .clk_i,
      .value_i(halved_i.u),
      .recode_i,
      .shift_i,
      .none_o(u_none),
      .entry_o(u_entry),
      .negative_o(u_negative)
  );
  ed25519_digits_short #(
      .DIGITS(HalfBits + 1)
  ) u_v (
      .clk_i,
      .value_i(halved_i.v),
      .recode_i,
      .shift_i(shift_i && ahead_q == '0),
      .none_o(v_none),
      .entry_o(v_entry),
      .negative_o(v_negative)
  );

  assign u_due = !u_none && !added_q;
  assign v_due = !v_none && ahead_q == '0;
  assign none_o = !u_due && !v_due;
  assign both_o = u_due && v_due;
  assign entry_o = u_due ? {1'b0, u_entry} : {1'b0, v_entry} + 3'(HalfEntries);
  assign negative_o = !none_o && (u_due ? u_negative ^ flip_q : !v_negative);

  always_ff @(posedge clk_i) begin
    if (recode_i) begin
      ahead_q <= halved_i.more;
      flip_q  <= halved_i.negative;
      added_q <= 1'b0;
    end else if (shift_i) begin
      if (ahead_q != '0) ahead_q <= ahead_q - 8'd1;
      added_q <= 1'b0;
    end else if (again_i) begin
      added_q <= 1'b1;
    end
  end
endmodule

`default_nettype wire
