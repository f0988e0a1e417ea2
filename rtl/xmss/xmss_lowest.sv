// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The lowest of COUNT bits that is set, found in a tree; where none is, the number is of no use.
module xmss_lowest
  import xmss_pkg::*;
#(
    parameter int unsigned COUNT = 128
) (
    input wire [COUNT-1:0] bits_i,
    output logic some_o,
    output slot_t lowest_o
);
  localparam int unsigned Leaves = 1 << $clog2(COUNT);
  logic  some[2*Leaves]  /* verilator split_var */;
  slot_t at  [2*Leaves]  /* verilator split_var */;
  assign {some[0], at[0]} = '0;
  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    assign some[Leaves+i] = i < COUNT ? bits_i[i%COUNT] : 1'b0;
    assign at[Leaves+i]   = slot_t'(i);
  end
  for (genvar i = 1; i < Leaves; i++) begin : gen_node
    assign some[i] = some[2*i] || some[2*i+1];
    assign at[i]   = some[2*i] ? at[2*i] : at[2*i+1];
  end
  assign some_o   = some[1];
  assign lowest_o = at[1];
endmodule

`default_nettype wire
