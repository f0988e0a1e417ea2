// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The operands of the words of a block, by its kind.
module chain_shape
  import chain_pkg::*;
(
    input wire kind_e kind_i,
    input wire mode_e mode_i,
    input wire op_e op_i,
    input wire first_i,  // first step of a chain: the value is b1, not the digest
    output shape_t shape_o
);
  logic n24;
  assign n24 = mode_i == XmssN24;
  always_comb begin
    shape_o = '0;
    shape_o.n24 = mode_i[0];
    shape_o.first = first_i;
    shape_o.node = op_i == OpNodeRow;
    unique case (kind_i)
      KindF:    {shape_o.f_lms, shape_o.f_n24, shape_o.f_n32} = {mode_i[1], n24, mode_i == XmssN32};
      KindPrf:  {shape_o.prf_n24, shape_o.prf_n32} = {n24, !n24};
      KindTail: shape_o.tail = 1'b1;
      KindKey:  shape_o.key = 1'b1;
      KindPad:  {shape_o.rest, shape_o.pad_n32} = {n24, !n24};
      default:  {shape_o.pair, shape_o.raw} = n24 && op_i == OpPair ? 2'b10 : 2'b01;
    endcase
  end
endmodule

`default_nettype wire
