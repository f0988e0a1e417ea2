// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The parts left out of the first words of a block, which are made a cycle before the digest is
// there: the digest's part of them.
module chain_begin
  import sha256_pkg::*;
  import chain_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire places_t late_i[UNROLL],  // 0 but in the last cycle
    input wire lms_i,
    input wire state_t digest_i,
    output logic [UNROLL-1:0][31:0] words_o
);
  for (genvar i = 0; i < UNROLL; i++) begin : gen_word
    places_t late_q;
    always_ff @(posedge clk_i) late_q <= late_i[i];

    logic [ 7:0] high;
    logic [23:0] low;
    always_comb begin
      {high, low} = '0;
      for (int n = 0; n < 8; n++) begin
        high |= {8{late_q.high[n]}} & digest_i[n][31:24];
        low |= {24{late_q.low[n]}} & digest_i[n][23:0];
      end
    end
    // With up to four words no value of LM-OTS begins in them.
    assign words_o[i] = UNROLL == 8 && lms_i ? {low, high} : {high, low};
  end
endmodule

`default_nettype wire
