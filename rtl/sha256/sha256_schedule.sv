// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Message schedule (FIPS 180-4, Section 6.2.2 (SHA-256 Hash Computation), step 1), UNROLL words per cycle, and K + W for the
// rounds of the next cycle.
//
// In cycle c of a block (c = 0 with first_i) `next_i` gives words UNROLL (c + 1) and on while there are any (`fetch_i`); the
// words of cycle 0 itself come on `first_i`'s port `begin_i`.
module sha256_schedule
  import sha256_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire first_i,
    input wire fetch_i,
    input wire [UNROLL-1:0][31:0] begin_i,
    input wire [UNROLL-1:0][31:0] next_i,
    input wire [UNROLL-1:0][31:0] constant_i,  // of the rounds of the next cycle
    output logic [UNROLL-1:0][31:0] kw_o
);
  // words_q[15] is the newest word: in cycle c the words up to UNROLL (c + 1) - 1, but in cycle 0, when they are `begin_i`.
  logic [15:0][31:0] words_q;
  logic [UNROLL-1:0][31:0] newest, fresh, kw;

  assign newest = first_i ? begin_i : words_q[15-:UNROLL];

  logic [15+UNROLL:0][31:0] line;
  assign line = {fresh, newest, words_q[15-UNROLL:0]};

  for (genvar i = 0; i < UNROLL; i++) begin : gen_word
    word_t s1, c1, s2, c2, x, y;
    assign s1 = save(line[i], small0(line[i+1]), line[i+9]);
    assign c1 = carry(line[i], small0(line[i+1]), line[i+9]);
    assign s2 = save(s1, c1, small1(line[i+14]));
    assign c2 = carry(s1, c1, small1(line[i+14]));
    assign x = fetch_i ? next_i[i] : s2;
    assign y = fetch_i ? '0 : c2;
    assign fresh[i] = x + y;
    assign kw[i] = save(x, y, constant_i[i]) + carry(x, y, constant_i[i]);
  end

  always_ff @(posedge clk_i) begin
    words_q <= line[15+UNROLL:UNROLL];
    kw_o <= kw;
  end
endmodule

`default_nettype wire
