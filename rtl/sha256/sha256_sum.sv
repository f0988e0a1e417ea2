// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The chaining value added to the state (FIPS 180-4, Section 6.2.2 (SHA-256 Hash Computation), step
// 4), a and e having got theirs in the last round.
//
// With one round per cycle the other words pass by the first adder of each half on their way
// through b, c and d (f, g and h): the chaining value moves on by a word in each of the last three
// cycles, and the sum takes the first place.
module sha256_sum
  import sha256_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire rest_t before_i,  // the cycle's first round
    input wire rest_t after_i,  // its last round
    input wire word_t h_i,
    input wire state_t chain_i,
    output state_t sum_o
);
  for (genvar half = 0; half < 8; half += 4) begin : gen_half
    assign sum_o[half] = after_i[half];
    if (UNROLL == 1) begin : gen_shift
      assign sum_o[half+1] = before_i[half] + chain_i[half+3];
      assign sum_o[half+2] = chain_i[half+1];
      assign sum_o[half+3] = chain_i[half+2];
    end else begin : gen_all
      assign sum_o[half+1] = after_i[half+1] + chain_i[half+1];
      assign sum_o[half+2] = after_i[half+2] + chain_i[half+2];
      assign sum_o[half+3] = (half == 0 ? after_i[3] : h_i) + chain_i[half+3];
    end
  end
  if (UNROLL == 1) begin : gen_unused
    logic unused;
    assign unused = ^{before_i, after_i, h_i, chain_i};
  end else begin : gen_unused
    logic unused;
    assign unused = ^{before_i, after_i, chain_i};
  end
endmodule

`default_nettype wire
