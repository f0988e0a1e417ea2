// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A half-size scalar in non-adjacent form, as ed25519_digits_naf has k, in groups of up to three
// digits: 1, 3 or 5.
`default_nettype none

module ed25519_digits_short #(
    // Digits of the form: one more than bits of the scalar.
    parameter int unsigned DIGITS = 129
) (
    input wire clk_i,
    input wire [DIGITS-2:0] value_i,
    input wire recode_i,
    input wire shift_i,
    output logic none_o,
    output logic [1:0] entry_o,
    output logic negative_o
);
  typedef struct packed {
    logic active;
    logic [1:0] left;
    logic [1:0] entry;
    logic negative;
  } group_t;

  logic [DIGITS-1:0] triple_q, single_q;
  logic [DIGITS:0] triple;
  logic [2:0] plus, minus;
  group_t pending_q, found, current;

  assign triple = (DIGITS + 1)'(value_i) + {1'b0, value_i, 1'b0};
  assign plus   = triple_q[DIGITS-1-:3] & ~single_q[DIGITS-1-:3];
  assign minus  = ~triple_q[DIGITS-1-:3] & single_q[DIGITS-1-:3];

  logic unused_bits;
  assign unused_bits = ^{triple[0], plus[1], minus[1]};

  // Top digit in bit 2. 4 + 1 = 5, 4 - 1 = 3.
  always_comb begin
    found = '{active: plus[2] || minus[2], negative: minus[2], left: 2'd0, entry: 2'd0};
    if (plus[0] || minus[0]) begin
      found.left  = 2'd2;
      found.entry = plus[0] == plus[2] ? 2'd2 : 2'd1;
    end
  end
  assign current = pending_q.active ? pending_q : found;
  assign none_o = !(current.active && current.left == '0);
  assign entry_o = current.entry;
  assign negative_o = current.negative;

  always_ff @(posedge clk_i) begin
    if (recode_i) begin
      triple_q  <= triple[DIGITS:1];
      single_q  <= {2'b00, value_i[DIGITS-2:1]};
      pending_q <= '0;
    end else if (shift_i) begin
      triple_q <= triple_q << 1;
      single_q <= single_q << 1;
      pending_q <= current;
      pending_q.active <= current.active && current.left != '0;
      pending_q.left <= current.left - 2'd1;
    end
  end
endmodule

`default_nettype wire
