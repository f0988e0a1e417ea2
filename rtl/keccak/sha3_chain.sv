// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The one block of a step of a hash chain: prefix, tweak with the counter in its last four bytes
// (big-endian), value, padding. With the prefix PK.seed and the tweak ADRS this is F of FIPS 205,
// section 11.1 (SLH-DSA Using SHAKE), on the bytes the standard gives it.
`default_nettype none

module sha3_chain (
    input wire [2:0] lanes_i,  // of prefix and value: 2, 3 or 4
    input wire [4:0] rate_i,
    input wire [7:0] suffix_i,
    input wire [31:0] counter_i,
    input wire [3:0][63:0] prefix_i,
    input wire [3:0][63:0] tweak_i,
    input wire [3:0][63:0] value_i,
    output logic [24:0][63:0] block_o
);

  logic [3:0][63:0] tweak;
  assign tweak = {counter_i[7:0], counter_i[15:8], counter_i[23:16], counter_i[31:24], tweak_i[3][31:0], tweak_i[2:0]};

  always_comb begin
    block_o = '0;
    unique case (lanes_i)
      3'd2: block_o[8:0] = {56'd0, suffix_i, value_i[1:0], tweak, prefix_i[1:0]};
      3'd3: block_o[10:0] = {56'd0, suffix_i, value_i[2:0], tweak, prefix_i[2:0]};
      default: block_o[12:0] = {56'd0, suffix_i, value_i, tweak, prefix_i};
    endcase
    for (int unsigned i = 13; i < 25; i++) if (5'(i) == rate_i - 5'd1) block_o[i][63] = 1'b1;
  end

endmodule

`default_nettype wire
