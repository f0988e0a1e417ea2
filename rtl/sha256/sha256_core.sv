// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// SHA-256's compression, UNROLL rounds per cycle: 64 / UNROLL cycles per block, loading and adding the chaining value included.
//
// `start_i` (only with `ready_o`) makes the next cycle cycle 0 of a block, from `state_i`, with `initial_i` from H(0), or with
// `resume_i` (only with `last_o`) from the result of the block that ends. Words are asked for as they are needed: `begin_i` holds the first UNROLL in cycle 0, `next_i` in cycle c
// the words UNROLL (c + 1) and on. `digest_o` is the result of the last block from the cycle after its last one until
// `reload_i`, which must come once in every block that is not resumed, from cycle 16 / UNROLL - 1 to the last but one,
// with `state_i` and `initial_i` as at the start.
module sha256_core
  import sha256_pkg::*;
#(
    parameter  int unsigned UNROLL = 1,
    localparam int unsigned Cycles = 64 / UNROLL,
    localparam int unsigned Width  = $clog2(Cycles)
) (
    input wire clk_i,
    input wire rst_ni,
    output logic ready_o,
    input wire start_i,
    input wire resume_i,
    input wire initial_i,
    input wire reload_i,
    input wire state_t state_i,
    input wire [UNROLL-1:0][31:0] begin_i,
    input wire [UNROLL-1:0][31:0] next_i,
    output logic busy_o,
    output logic last_o,
    output logic [Width-1:0] cycle_o,
    output state_t digest_o
);
  // Everything that selects comes from a register of its own.
  logic [Width-1:0] cycle_q, cycle_d;
  logic busy_q, first, fetch, last;
  assign cycle_d = busy_q ? cycle_q + Width'(1) : cycle_q;
  always_ff @(posedge clk_i) begin
    first <= !rst_ni || cycle_d == '0;
    fetch <= !rst_ni || 32'(cycle_d) < 16 / UNROLL - 1;
    last  <= rst_ni && cycle_d == Width'(Cycles - 1);
  end
  assign ready_o = !busy_q || last;
  assign busy_o  = busy_q;
  assign last_o  = busy_q && last;
  assign cycle_o = cycle_q;

  // K of cycle 0's first round is in h, that of the others is added beside the first round.
  logic [UNROLL-1:0][31:0] constants, kw_q, kw;
  always_ff @(posedge clk_i) constants <= RoundConstants[(32'(cycle_d)+1)*UNROLL%64+:UNROLL];
  for (genvar i = 0; i < UNROLL; i++) begin : gen_kw
    localparam word_t Constant = i == 0 ? '0 : RoundConstants[i];
    assign kw[i] = first ? begin_i[i] + Constant : kw_q[i];
  end

  sha256_schedule #(
      .UNROLL(UNROLL)
  ) u_schedule (
      .clk_i,
      .first_i(first),
      .fetch_i(fetch),
      .begin_i,
      .next_i,
      .constant_i(constants),
      .kw_o(kw_q)
  );

  state_t state_q, chain_q, sum;
  state_t rounds[UNROLL+1];
  assign rounds[0] = state_q;
  for (genvar i = 0; i < UNROLL; i++) begin : gen_round
    localparam bit Ends = i == UNROLL - 1;
    sha256_round u_round (
        .state_i (rounds[i]),
        .kw_i    (kw[i]),
        .more_a_i(Ends && last ? chain_q[0] : '0),
        .more_e_i(Ends && last ? chain_q[4] : '0),
        .state_o (rounds[i+1])
    );
  end
  for (genvar i = 0; i < 8; i++) begin : gen_sum
    assign sum[i] = i % 4 == 0 ? rounds[UNROLL][i] : rounds[UNROLL][i] + chain_q[i];
  end

  // What a block starts from; K of round 0 is added to h on the way.
  state_t load, from;
  assign from = initial_i ? InitialState : state_i;
  word_t h_more;
  assign h_more = resume_i ? chain_q[7] : '0;
  always_comb begin
    load = resume_i ? sum : from;
    load[7] = save(resume_i ? rounds[UNROLL][7] : from[7], h_more, RoundConstants[0]) +
        carry(resume_i ? rounds[UNROLL][7] : from[7], h_more, RoundConstants[0]);
  end

  assign digest_o = chain_q;
  always_ff @(posedge clk_i) begin
    state_q <= start_i ? load : rounds[UNROLL];
    if (last_o) chain_q <= sum;
    else if (reload_i) chain_q <= from;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      cycle_q <= '0;
    end else begin
      if (ready_o) busy_q <= start_i;
      cycle_q <= cycle_d;
    end
  end
endmodule

`default_nettype wire
