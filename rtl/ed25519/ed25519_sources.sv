// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Values of the sources that are not registers: constants, inputs, digest, table ports.
//
// Each port knows only the sources that its programs use there.
`default_nettype none

module ed25519_sources
  import ed25519_pkg::*;
(
    input  wire  [  6:0] a_i,
    input  wire  [  6:0] b_i,
    input  wire  [  6:0] c_i,
    input  wire  [255:0] inputs_i[3],
    input  wire  [511:0] digest_i,
    input  wire  [  1:0] roots_i,
    input  wire  [254:0] rom_i,
    output logic [256:0] a_o,
    output logic [255:0] b_o,
    output logic [256:0] c_o
);
  logic [256:0] high, low;
  assign high = digest_i[511:255];
  assign low  = digest_i[256:0];

  always_comb begin
    unique case (a_i)
      SrcOne: a_o = 257'd1;
      SrcIn0: a_o = 257'(inputs_i[0][254:0]);
      SrcIn1: a_o = 257'(inputs_i[1][254:0]);
      SrcIn2: a_o = 257'(inputs_i[2]);
      SrcDigestHigh: a_o = high;
      // RFC 8032, Section 5.1.5 (Key Generation), step 2.
      SrcClamped: a_o = {2'b00, 1'b1, digest_i[253:3], 3'b000};
      default: a_o = '0;
    endcase
  end

  always_comb begin
    unique case (b_i)
      SrcOne, SrcSign, SrcTable, SrcTable + 7'd1, SrcTable + 7'd2: b_o = 256'd1;
      SrcFour: b_o = ConstFour;
      SrcD: b_o = ConstD;
      SrcD2: b_o = ConstD2;
      SrcBarrett: b_o = ConstBarrett;
      SrcEightL: b_o = ConstEightL;
      SrcRoot0: b_o = roots_i[0] ? 256'd1 : ConstRoot0;
      SrcRoot1: b_o = roots_i[1] ? 256'd1 : ConstRoot0;
      default: b_o = b_i >= SrcRom ? 256'(rom_i) : '0;
    endcase
  end

  always_comb begin
    unique case (c_i)
      SrcOne: c_o = 257'd1;
      SrcLMinus1: c_o = 257'(ConstLMinus1);
      SrcPMinus1: c_o = 257'(ConstPMinus1);
      SrcDigestHigh: c_o = high;
      SrcDigestLow: c_o = low;
      default: c_o = '0;
    endcase
  end
endmodule

`default_nettype wire
