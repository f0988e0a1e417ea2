// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// SHA-256's compression, UNROLL rounds per cycle: 64 / UNROLL cycles per block, loading and adding the chaining value included.
//
// `start_i` (only with `ready_o`) makes the next cycle cycle 0 of a block, from `state_i`, or with `resume_i` (only with `last_o`)
// from the result of the block that ends. Words are asked for as they are needed, UNROLL at a time: in cycles 0 and 1 `begin_i`
// holds this cycle's, and `next_i` those of `sha256_pkg::word_lead` cycles later. `digest_o` is the result of the last block from
// the cycle after its last one until `reload_i`, which must come once in every block that is not resumed, from cycle
// 16 / UNROLL - 1 to the last but three (with more than one round per cycle: the last but one), with `state_i` as at the start.
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
    input wire reload_i,
    input wire state_t state_i,
    input wire [UNROLL-1:0][31:0] begin_i,
    input wire [UNROLL-1:0][31:0] next_i,
    output logic busy_o,
    output logic last_o,
    output logic [Width-1:0] cycle_o,
    output state_t digest_o
);
  // Without a block it is always the last cycle. What selects many bits comes from a register of its own through one gate, for
  // mappers give gates with much to drive a tree of buffers, but not registers.
  logic [Width-1:0] cycle_q, cycle_d;
  logic busy_q, busy_d, first_q, early_q, fetch_q, last_q, late_q, early, fetch, late, goes_on, ahead;
  assign busy_d  = last_q ? start_i : busy_q;
  assign cycle_d = last_q && !start_i ? cycle_q : cycle_q + Width'(1);
  assign early   = busy_q && early_q;
  assign fetch   = busy_q && fetch_q;
  assign late    = busy_q && late_q;
  assign goes_on = busy_q && !last_q;
  assign ahead   = goes_on && !first_q;
  assign ready_o = last_q;
  assign busy_o  = busy_q;
  assign last_o  = busy_q && last_q;
  assign cycle_o = cycle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, first_q, early_q, fetch_q, late_q} <= '0;
      last_q <= 1'b1;
      cycle_q <= '1;
    end else begin
      busy_q  <= busy_d;
      first_q <= cycle_d == '0;
      early_q <= 32'(cycle_d) < 2;
      fetch_q <= 32'(cycle_d) + word_lead(UNROLL) < 16 / UNROLL;
      last_q  <= cycle_d == '1;
      late_q  <= UNROLL == 1 ? 32'(cycle_d) >= Cycles - 3 : cycle_d == '1;
      cycle_q <= cycle_d;
    end
  end

  logic [UNROLL-1:0][31:0] words;
  sha256_schedule #(
      .UNROLL(UNROLL)
  ) u_schedule (
      .clk_i,
      .early_i(early),
      .fetch_i(fetch),
      .begin_i,
      .next_i,
      .words_o(words)
  );

  // K of the next cycle's rounds.
  logic [UNROLL-1:0][31:0] constants_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || last_q && !start_i) constants_q <= RoundConstants[UNROLL-1:0];
    else constants_q <= RoundConstants[(32'(cycle_q)+2)*UNROLL%64+:UNROLL];
  end

  // h + K + W of a round, without W in cycles 0 and 1, where it is added in the round.
  word_t h_next, hkw_q;
  word_t hkw[UNROLL]  /* verilator split_var */;
  logic [UNROLL-1:0][31:0] known, begins;
  state_t chain_q, sum;
  rest_t state_q;
  rest_t rounds  [UNROLL+1]  /* verilator split_var */;
  assign known  = ahead ? words : '0;
  assign begins = early ? begin_i : '0;
  assign hkw[0] = hkw_q;
  always_ff @(posedge clk_i) begin
    hkw_q <= save(h_next, constants_q[0], known[0]) + carry(h_next, constants_q[0], known[0]);
  end
  for (genvar i = 1; i < UNROLL; i++) begin : gen_hkw
    word_t kw_q;
    always_ff @(posedge clk_i) kw_q <= known[i] + constants_q[i];
    assign hkw[i] = save(rounds[i-1][6], kw_q, begins[i]) + carry(rounds[i-1][6], kw_q, begins[i]);
  end

  // The last round adds H0 and H4, so that a and e leave it as words of the digest.
  assign rounds[0] = state_q;
  for (genvar i = 0; i < UNROLL; i++) begin : gen_round
    localparam bit Begins = i == 0;
    localparam bit Ends = i == UNROLL - 1;
    word_t w0;
    assign w0 = Begins ? begins[0] : '0;
    sha256_round #(
        .MORE(Begins || Ends)
    ) u_round (
        .state_i (rounds[i]),
        .hkw_i   (hkw[i]),
        .more_a_i(w0 | (Ends && last_o ? chain_q[0] : '0)),
        .more_e_i(w0 | (Ends && last_o ? chain_q[4] : '0)),
        .state_o (rounds[i+1])
    );
  end

  sha256_sum #(
      .UNROLL(UNROLL)
  ) u_sum (
      .before_i(state_q),
      .after_i (rounds[UNROLL]),
      .h_i     (rounds[UNROLL-1][6]),
      .chain_i (chain_q),
      .sum_o   (sum)
  );

  // The state of the next cycle: of a new block, the digest, or that after the rounds.
  logic load, keep;
  assign load = start_i && !resume_i;
  assign keep = last_q && !load;
  assign digest_o = chain_q;
  assign h_next = (load ? state_i[7] : '0) | (keep ? sum[7] : '0) | (goes_on ? rounds[UNROLL-1][6] : '0);
  for (genvar i = 0; i < 8; i++) begin : gen_state
    if (i < 7) begin : gen_rest
      always_ff @(posedge clk_i) begin
        state_q[i] <= (load ? state_i[i] : '0) | (keep ? sum[i] : '0) | (goes_on ? rounds[UNROLL][i] : '0);
      end
    end
    logic take, hold;
    assign take = i % 4 == 0 ? last_o : late;
    assign hold = !take && !reload_i;
    always_ff @(posedge clk_i) begin
      chain_q[i] <= (reload_i && !take ? state_i[i] : '0) | (take ? sum[i] : '0) | (hold ? chain_q[i] : '0);
    end
  end
endmodule

`default_nettype wire
