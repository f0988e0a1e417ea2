// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Scalar register of the variable base: non-adjacent form, most significant digit first, in groups
// of up to four.
//
// `recode_i` keeps 3k / 2 and k / 2; digit i of the form is the difference of their bits i. A group
// begins at a digit that is not zero and ends at its last digit that is not: an odd multiple, 1 to
// 9, added `left` digits later.
`default_nettype none

module ed25519_digits_naf
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire load_i,
    input wire [255:0] value_i,
    input wire recode_i,
    input wire shift_i,
    output logic none_o,
    output logic [2:0] entry_o,
    output logic negative_o
);
  typedef struct packed {
    logic active;
    logic [1:0] left;
    logic [2:0] entry;
    logic negative;
  } group_t;

  logic [255:0] triple_q, single_q, triple;
  logic [3:0] plus, minus;
  group_t pending_q, found, current;

  assign triple = single_q + {single_q[254:0], 1'b0};
  assign plus   = triple_q[NafDigits-1-:4] & ~single_q[NafDigits-1-:4];
  assign minus  = ~triple_q[NafDigits-1-:4] & single_q[NafDigits-1-:4];

  logic unused_bits;
  assign unused_bits = ^{triple[0], triple_q[255], plus[2], minus[2]};

  // Top digit in bit 3. 8 + 1 = 9, 8 - 1 = 7, 4 + 1 = 5, 4 - 1 = 3.
  always_comb begin
    found = '{active: plus[3] || minus[3], negative: minus[3], left: 2'd0, entry: 3'd0};
    if (plus[0] || minus[0]) begin
      found.left  = 2'd3;
      found.entry = plus[0] == plus[3] ? 3'd4 : 3'd3;
    end else if (plus[1] || minus[1]) begin
      found.left  = 2'd2;
      found.entry = plus[1] == plus[3] ? 3'd2 : 3'd1;
    end
  end
  assign current = pending_q.active ? pending_q : found;
  assign none_o = !(current.active && current.left == '0);
  assign entry_o = current.entry;
  assign negative_o = current.negative && !none_o;

  always_ff @(posedge clk_i) begin
    if (load_i) single_q <= value_i;
    else if (recode_i) single_q <= {1'b0, single_q[255:1]};
    else if (shift_i) single_q <= {single_q[254:0], 1'b0};
    if (recode_i) begin
      triple_q  <= {1'b0, triple[255:1]};
      pending_q <= '0;
    end else if (shift_i) begin
      triple_q <= {triple_q[254:0], 1'b0};
      pending_q <= current;
      pending_q.active <= current.active && current.left != '0;
      pending_q.left <= current.left - 2'd1;
    end
  end
endmodule

`default_nettype wire
