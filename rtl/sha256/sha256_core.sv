// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// SHA-256's compression, UNROLL rounds per cycle: 64 / UNROLL cycles per block, loading and adding
// the chaining value included.
//
// `start_i` (only with `ready_o`) makes the next cycle cycle 0 of a block, from `state_i`, or with
// `resume_i` (only with `last_o`) from the result of the block that ends. `next_i` holds the words
// of the next cycle, UNROLL at a time, in the last cycle and up to cycle 16 / UNROLL - 2, and
// `begin_i` in cycle 0 what was not known of its words a cycle before, to be XORed to them; both
// are 0 in all other cycles of a block. `digest_o` is the result of the last block from the cycle
// after its last one until `reload_i`, which must come once in every block that is not resumed,
// from cycle 16 / UNROLL - 1 to the last but three (with more than one round per cycle: the last
// but one), with `state_i` as at the start.
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
  if (!(UNROLL inside {1, 2, 4, 8})) begin : g_bad_unroll
    $error("UNROLL is 1, 2, 4 or 8");
  end

  // Without a block it is always the last cycle, and only the chaining value is kept. A signal that
  // selects many bits comes from a register of its own, for a mapper's buffers behind one register
  // are slow.
  logic [Width-1:0] cycle_q, cycle_d;
  logic busy_q, busy_d, early_q, fetch_q, last_q, final_q, late_q, load, keep;
  assign busy_d  = last_q ? start_i : busy_q;
  assign cycle_d = last_q && !start_i ? cycle_q : cycle_q + Width'(1);
  assign load    = last_q && !resume_i;
  assign keep    = last_q && resume_i;
  assign ready_o = last_q;
  assign busy_o  = busy_q;
  assign last_o  = final_q;
  assign cycle_o = cycle_q;
  always_ff @(posedge clk_i) begin
    early_q <= fetch_q;
    if (!rst_ni) begin
      {busy_q, final_q, late_q} <= '0;
      {last_q, fetch_q} <= '1;
      cycle_q <= '1;
    end else begin
      busy_q  <= busy_d;
      fetch_q <= cycle_d == '1 || 32'(cycle_d) < 16 / UNROLL - 1;
      last_q  <= cycle_d == '1;
      final_q <= busy_d && cycle_d == '1;
      late_q  <= busy_d && (UNROLL == 1 ? 32'(cycle_d) >= Cycles - 3 : cycle_d == '1);
      cycle_q <= cycle_d;
    end
  end

  logic [UNROLL-1:0][31:0] words, known;
  sha256_schedule #(
      .UNROLL(UNROLL)
  ) u_schedule (
      .clk_i,
      .fetch_i(fetch_q),
      .begin_i,
      .next_i,
      .words_o(words),
      .known_o(known)
  );

  // K of the next cycle's rounds, of which the table begins with those of cycle 2.
  localparam logic [63:0][31:0] Constants = {RoundConstants[2*UNROLL-1:0], RoundConstants[63:2*UNROLL]};
  logic [UNROLL-1:0][31:0] constants_q, constants;
  always_ff @(posedge clk_i) constants_q <= Constants[32'(cycle_q)*UNROLL+:UNROLL];
  assign constants = last_q ? RoundConstants[UNROLL-1:0] : constants_q;

  // h + K + W of a round, without a word of the message, which is added in the round.
  word_t h_next, hkw_q;
  word_t hkw[UNROLL]  /* verilator split_var */;
  logic [UNROLL-1:0][31:0] begins;
  state_t chain_q, sum;
  rest_t state_q;
  rest_t rounds  [UNROLL+1]  /* verilator split_var */;
  assign begins = early_q ? words : '0;
  assign hkw[0] = hkw_q;
  always_ff @(posedge clk_i) begin
    hkw_q <= save(h_next, constants[0], known[0]) + carry(h_next, constants[0], known[0]);
  end
  for (genvar i = 1; i < UNROLL; i++) begin : gen_hkw
    word_t kw_q;
    always_ff @(posedge clk_i) kw_q <= known[i] + constants[i];
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
        .more_a_i(w0 | (Ends && final_q ? chain_q[0] : '0)),
        .more_e_i(w0 | (Ends && final_q ? chain_q[4] : '0)),
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

  // The state of the next cycle: of a new block, the digest, or that after the rounds, which are
  // the same for a and e.
  assign digest_o = chain_q;
  assign h_next   = (load ? state_i[7] : '0) | (keep ? sum[7] : '0) | (last_q ? '0 : rounds[UNROLL-1][6]);
  for (genvar i = 0; i < 8; i++) begin : gen_state
    if (i % 4 == 0) begin : gen_first
      always_ff @(posedge clk_i) state_q[i] <= load ? state_i[i] : rounds[UNROLL][i];
    end else if (i < 7) begin : gen_rest
      always_ff @(posedge clk_i) begin
        state_q[i] <= (load ? state_i[i] : '0) | (keep ? sum[i] : '0) | (last_q ? '0 : rounds[UNROLL][i]);
      end
    end
    logic take, hold;
    assign take = i % 4 == 0 ? final_q : late_q;
    assign hold = !take && !reload_i && rst_ni;
    always_ff @(posedge clk_i) begin
      chain_q[i] <= (reload_i ? state_i[i] : '0) | (take ? sum[i] : '0) | (hold ? chain_q[i] : '0);
    end
  end
endmodule

`default_nettype wire
