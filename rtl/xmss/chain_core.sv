// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A chain core: one SHA-256 core that does whole jobs (`op_e`), 64 / UNROLL cycles per compression without a gap. The digest of a
// block goes straight into the next one's place. Operands stand in registers outside: `a_i` (chaining value, state after KEY, or
// LMS's prefix I, q, i), `b0_i` and `b1_i` (words of a block; mask and value; value and address).
//
// A job is taken with `job_valid_i && job_ready_o`; its operands must be there then and stay until `free_o`. Steps of OpChain
// beyond the first wait for `step_valid_i`, which says that `a_i` and `b0_i` are those of the next step; `step_ready_o` takes them.
// `keep_a_o` and `keep_x_o` ask that the digest be kept in `a` and `b0`. A result must be taken within half a block.
module chain_core
  import sha256_pkg::*;
  import chain_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire state_t seed_i,  // n = 32: the state after toByte(3, 32) and PUB_SEED; n = 24: PUB_SEED
    input wire job_valid_i,
    output logic job_ready_o,
    input wire job_t job_i,
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    output logic free_o,  // the operands of the job are not needed any more
    input wire step_valid_i,
    output logic step_ready_o,
    output logic step_want_o,  // a further step will need a row, and `a_i` and `b0_i` may be written
    output logic keep_a_o,
    output logic keep_x_o,
    output logic result_valid_o,  // the digest is a result
    input wire result_ready_i,
    output logic [1:0] result_part_o,
    output logic result_last_o,  // the last of its job
    output state_t digest_o
);
  localparam int unsigned Cycles = 64 / UNROLL;
  localparam int unsigned Width = $clog2(Cycles);
  localparam int unsigned Fetched = 16 / UNROLL - 1;

  logic n24, xmss;
  assign n24  = mode_i == XmssN24;
  assign xmss = !mode_i[1];

  // The job and the block in work.
  op_e op_q;
  kind_e kind_q;
  logic [1:0] part_q;
  logic [7:0] step_q, left_q;
  logic first_q, active_q, loaded_q;

  // The next block.
  logic ends, result, keep_a, keep_x, begins, goes, start;
  kind_e next_kind, kind;
  logic [1:0] next_part;
  // From registers: what follows a block is known from its second cycle on.
  after_t after, after_q;
  chain_next u_next (
      .op_i(op_q),
      .kind_i(kind_q),
      .part_i(part_q),
      .n24_i(n24),
      .more_steps_i(left_q != 8'd1),
      .ends_o(after.ends),
      .kind_o(after.kind),
      .part_o(after.part),
      .result_o(after.result),
      .keep_a_o(after.keep_a),
      .keep_x_o(after.keep_x)
  );
  always_ff @(posedge clk_i) after_q <= after;
  assign {ends, next_kind, next_part, result, keep_a, keep_x} = {
    after_q.ends, after_q.kind, after_q.part, after_q.result, after_q.keep_a, after_q.keep_x
  };

  logic ready, busy, last;
  logic [Width-1:0] cycle;
  logic needs_row, fresh;
  assign fresh = !active_q || (last && ends);
  assign needs_row = op_q == OpChain && xmss;
  assign job_ready_o = ready && fresh;
  assign begins = job_ready_o && job_valid_i;
  assign goes = ready && !fresh && (!needs_row || step_valid_i);
  assign step_ready_o = goes && needs_row;
  assign start = begins || goes;
  always_comb begin
    kind = next_kind;
    if (fresh) begin
      unique case (job_i.op)
        OpRaw, OpPair: kind = KindRaw;
        OpChain: kind = KindF;
        default: kind = KindPrf;
      endcase
    end
  end

  // From where a block starts: given, H(0), the state after the seed, or the last digest.
  logic seeded, initial_block, reload, pair;
  kind_e kind_now;
  assign seeded = !n24 && kind_now == KindPrf;
  assign pair = ready && fresh ? job_i.op == OpPair : op_q == OpPair;
  assign initial_block = kind_now == KindKey || (n24 && kind_now == KindRaw && pair) || (n24 && kind_now == KindPrf) || (kind_now == KindF && (n24 || !xmss));
  assign kind_now = ready ? kind : kind_q;
  state_t from;
  assign from   = (initial_block ? InitialState : '0) | (seeded ? seed_i : '0) | (initial_block || seeded ? '0 : a_i);
  assign reload = busy && !last && 32'(cycle) >= Fetched && !loaded_q && (!result_valid_o || result_ready_i);

  // The words that the core takes ahead.
  shape_t shape;
  chain_shape u_shape (
      .kind_i (kind_q),
      .mode_i,
      .op_i   (op_q),
      .first_i(first_q),
      .shape_o(shape)
  );
  logic [UNROLL-1:0][31:0] begin_words, next_words;
  localparam int unsigned Groups = 16 / UNROLL - word_lead(UNROLL);
  logic [Groups-1:0] group_q;  // whose turn it is to be taken, from cycle 0 on
  always_ff @(posedge clk_i) group_q <= start ? Groups'(1) : group_q << 1;
  for (genvar i = 0; i < UNROLL; i++) begin : gen_next
    logic [15:0] at;
    for (genvar n = 0; n < 16; n++) begin : gen_at
      if (n % UNROLL == i && n / UNROLL >= word_lead(UNROLL)) begin : gen_mine
        assign at[n] = group_q[n/UNROLL-word_lead(UNROLL)];
      end else begin : gen_other
        assign at[n] = 1'b0;
      end
    end
    chain_word u_word (
        .at_i(at),
        .shape_i(shape),
        .step_i(step_q),
        .part_i(part_q),
        .digest_i(digest_o),
        .a_i(a_i[5:0]),
        .b0_i,
        .b1_i,
        .seed_i(seed_i[5:0]),
        .word_o(next_words[i])
    );
  end

  // Those of the first two cycles.
  chain_begin #(
      .UNROLL(UNROLL)
  ) u_begin (
      .clk_i,
      .start_i(start),
      .first_i(32'(cycle) == 0),
      .busy_i(busy),
      .kind_i(kind),
      .mode_i,
      .op_i(fresh ? job_i.op : op_q),
      .fresh_i(fresh),
      .shape_i(shape),
      .step_i(step_q),
      .part_i(part_q),
      .digest_i(digest_o),
      .a_i(a_i[5:0]),
      .b0_i,
      .b1_i,
      .seed_i(seed_i[5:0]),
      .words_o(begin_words)
  );

  logic resumed;
  assign resumed = kind_q == KindPad || kind_q == KindTail;
  sha256_core #(
      .UNROLL(UNROLL)
  ) u_sha256 (
      .clk_i,
      .rst_ni,
      .ready_o (ready),
      .start_i (start),
      .resume_i(kind == KindPad || kind == KindTail),
      .reload_i(reload && !resumed),
      .state_i (from),
      .begin_i (begin_words),
      .next_i  (next_words),
      .busy_o  (busy),
      .last_o  (last),
      .cycle_o (cycle),
      .digest_o
  );

  // Operands come free once the last block that needs them has read its words and its chaining value.
  logic used;
  assign used = busy && loaded_q;
  assign free_o = !active_q || (used && ends);
  assign step_want_o = active_q && needs_row && (busy ? loaded_q && !ends : 1'b1);

  logic keep_a_q, keep_x_q, result_q, result_last_q;
  logic [1:0] result_part_q;
  assign keep_a_o = keep_a_q;
  assign keep_x_o = keep_x_q;
  assign result_valid_o = result_q;
  assign result_last_o = result_last_q;
  assign result_part_o = result_part_q;

  always_ff @(posedge clk_i) begin
    if (start) begin
      kind_q  <= kind;
      part_q  <= fresh ? 2'd0 : next_part;
      first_q <= fresh;
    end
    if (begins) begin
      op_q   <= job_i.op;
      step_q <= job_i.from;
      left_q <= job_i.steps;
    end else if (last && kind_q == KindF && !ends) begin
      step_q <= step_q + 8'd1;
      left_q <= left_q - 8'd1;
    end
    if (last) begin
      result_part_q <= op_q == OpNodeRow || op_q == OpRow ? (kind_q == KindKey ? 2'd0 : part_q) : 2'd0;
      result_last_q <= ends;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      loaded_q <= 1'b0;
      keep_a_q <= 1'b0;
      keep_x_q <= 1'b0;
      result_q <= 1'b0;
    end else begin
      if (begins) active_q <= 1'b1;
      else if (last && ends) active_q <= 1'b0;
      if (start) loaded_q <= 1'b0;
      else if (reload) loaded_q <= 1'b1;
      keep_a_q <= last && keep_a;
      keep_x_q <= last && keep_x;
      if (last && result) result_q <= 1'b1;
      else if (result_ready_i) result_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
