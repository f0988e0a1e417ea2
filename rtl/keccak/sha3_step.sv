// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The one block of a step of a hash chain: prefix, tweak with the counter in its last four bytes
// (big-endian), value, padding. With the prefix PK.seed and the tweak ADRS this is F of FIPS 205,
// section 11.1 (SLH-DSA Using SHAKE), on the bytes the standard gives it.
`default_nettype none

module sha3_step
  import sha3_pkg::*;
(
    input wire step_t step_i,
    input wire [7:0] suffix_i,
    input wire [3:0][63:0] prefix_i,
    input wire [3:0][63:0] value_i,
    output logic [24:0][63:0] block_o  // zero if there is no step
);

  logic [31:0] counter;
  logic [3:0][63:0] tweak;
  assign counter = step_i.counter;
  assign tweak   = {counter[7:0], counter[15:8], counter[23:16], counter[31:24], step_i.tweak};

  logic [ 8:0][63:0] two;
  logic [10:0][63:0] three;
  logic [12:0][63:0] four;
  assign two   = {56'd0, suffix_i, value_i[1:0], tweak, prefix_i[1:0]};
  assign three = {56'd0, suffix_i, value_i[2:0], tweak, prefix_i[2:0]};
  assign four  = {56'd0, suffix_i, value_i, tweak, prefix_i};

  always_comb begin
    block_o = '0;
    block_o[8:0] |= two & {576{step_i.lanes[2]}};
    block_o[10:0] |= three & {704{step_i.lanes[3]}};
    block_o[12:0] |= four & {832{step_i.lanes[4]}};
    for (int unsigned i = 13; i < 25; i++) if (5'(i) == step_i.rate - 5'd1) block_o[i][63] = step_i.lanes != '0;
  end

endmodule

`default_nettype wire
