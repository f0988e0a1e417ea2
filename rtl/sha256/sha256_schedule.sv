// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Message schedule (FIPS 180-4, Section 6.2.2 (SHA-256 Hash Computation), step 1), UNROLL words per cycle, made a cycle before
// they are needed: `words_o` in cycle c of a block, from cycle 1 on, are words UNROLL (c + 1) and on.
//
// While there are words of the message (`fetch_i`) `next_i` gives those `word_lead` cycles ahead; those of cycles 0 and 1 come in these
// cycles on `begin_i` (`early_i`).
module sha256_schedule
  import sha256_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire early_i,
    input wire fetch_i,
    input wire [UNROLL-1:0][31:0] begin_i,
    input wire [UNROLL-1:0][31:0] next_i,
    output logic [UNROLL-1:0][31:0] words_o
);
  localparam int unsigned Old = 16 - UNROLL;

  // Old words up to UNROLL (c + 1) - 1, of which the newest are `begin_i` at first; then those made a cycle ago.
  logic [Old-1:0][31:0] old_q, old;
  logic [UNROLL-1:0][31:0] ahead_q, fresh;
  always_comb begin
    old = old_q;
    if (early_i) old[Old-1-:UNROLL] = begin_i;
  end
  assign words_o = ahead_q;

  localparam bit Late = word_lead(UNROLL) == 1;
  logic [UNROLL-1:0][31:0] middle;
  assign middle = Late && fetch_i ? next_i : ahead_q;

  /* verilator lint_off UNUSEDSIGNAL */  // the newest words are of use a cycle later
  logic [15+UNROLL:0][31:0] line;
  /* verilator lint_on UNUSEDSIGNAL */
  // New words are made from cycle 2 on, but with eight rounds per cycle at once.
  assign line = {fresh, middle, Late ? old : old_q};

  for (genvar i = 0; i < UNROLL; i++) begin : gen_word
    word_t s1, c1;
    assign s1 = save(line[i], small0(line[i+1]), line[i+9]);
    assign c1 = carry(line[i], small0(line[i+1]), line[i+9]);
    assign fresh[i] = save(s1, c1, small1(line[i+14])) + carry(s1, c1, small1(line[i+14]));
  end

  logic [Old-1:0][31:0] next_old;
  assign next_old = (32 * Old)'({middle, old} >> (32 * UNROLL));
  always_ff @(posedge clk_i) begin
    old_q   <= next_old;
    ahead_q <= fetch_i && !Late ? next_i : fresh;
  end
endmodule

`default_nettype wire
