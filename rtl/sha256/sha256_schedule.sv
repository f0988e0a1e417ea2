// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Message schedule (FIPS 180-4, Section 6.2.2 (SHA-256 Hash Computation), step 1), UNROLL words per
// cycle. In cycle c of a block `words_o` are words UNROLL c and on. The next cycle's are those of
// the message while there are any (`fetch_i`, `next_i`), and then `known_o`, which are made a cycle
// before that. `begin_i` is XORed to the words of cycle 0. Both inputs are 0 in all other cycles of
// a block.
module sha256_schedule
  import sha256_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire fetch_i,
    input wire [UNROLL-1:0][31:0] begin_i,
    input wire [UNROLL-1:0][31:0] next_i,
    output logic [UNROLL-1:0][31:0] words_o,
    output logic [UNROLL-1:0][31:0] known_o
);
  localparam int unsigned Old = 16 - UNROLL;

  // Words up to this cycle's, and those made a cycle ago.
  logic [Old-1:0][31:0] old_q, old;
  logic [UNROLL-1:0][31:0] ahead_q, fresh, following;
  always_comb begin
    old = old_q;
    old[Old-1-:UNROLL] = old_q[Old-1-:UNROLL] ^ begin_i;
  end
  assign words_o   = old[Old-1-:UNROLL];
  assign known_o   = fetch_i ? '0 : ahead_q;
  assign following = known_o | next_i;

  /* verilator lint_off UNUSEDSIGNAL */  // the newest words are of use a cycle later
  logic [15+UNROLL:0][31:0] line;
  /* verilator lint_on UNUSEDSIGNAL */
  // Only with eight rounds per cycle new words are made in cycle 0.
  assign line = {fresh, following, UNROLL == 8 ? old : old_q};

  for (genvar i = 0; i < UNROLL; i++) begin : gen_word
    word_t s1, c1;
    assign s1 = save(line[i], small0(line[i+1]), line[i+9]);
    assign c1 = carry(line[i], small0(line[i+1]), line[i+9]);
    assign fresh[i] = save(s1, c1, small1(line[i+14])) + carry(s1, c1, small1(line[i+14]));
  end

  always_ff @(posedge clk_i) begin
    old_q   <= (32 * Old)'({following, old} >> (32 * UNROLL));
    ahead_q <= fresh;
  end
endmodule

`default_nettype wire
