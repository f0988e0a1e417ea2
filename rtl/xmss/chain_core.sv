// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A chain core: one SHA-256 core that does whole jobs (`op_e`), 64 / UNROLL cycles per compression
// without a gap. The digest of a block goes straight into the next one's place. Operands stand in
// registers outside: `a_i` (chaining value, state after KEY, or LMS's prefix I, q, i), `b0_i` and
// `b1_i` (words of a block; mask and value; value and address).
//
// A job is taken with `job_valid_i && job_ready_o`; its operands must be there then and stay until
// `free_o`. Steps of OpChain beyond the first wait for `step_valid_i`, which says that `a_i` and
// `b0_i` are those of the next step; `step_ready_o` takes them. `keep_a_o` and `keep_x_o` ask that
// the digest be kept in `a` and `b0`. A result must be taken within half a block.
module chain_core
  import sha256_pkg::*;
  import chain_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire mode_e mode_i,
    input wire state_t seed_i,  // n = 32: state after toByte(3, 32) and PUB_SEED; n = 24: PUB_SEED
    input wire job_valid_i,
    output logic job_ready_o,
    input wire job_t job_i,
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    output logic free_o,  // the operands of the job are not needed any more
    input wire step_valid_i,
    output logic step_ready_o,
    output logic step_want_o,  // a further step will need a row; `a_i` and `b0_i` may be written
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
  logic [1:0] part_d;
  logic [7:0] step_q, step_d, left_q;
  logic active_q, loaded_q;

  // The next block.
  logic ends, result, keep_a, keep_x, begins, goes, start;
  kind_e next_kind, kind;
  logic [1:0] next_part;
  chain_next u_next (
      .op_i(op_q),
      .kind_i(kind_q),
      .part_i(part_q),
      .n24_i(n24),
      .more_steps_i(left_q != 8'd1),
      .ends_o(ends),
      .kind_o(next_kind),
      .part_o(next_part),
      .result_o(result),
      .keep_a_o(keep_a),
      .keep_x_o(keep_x)
  );
  logic ready, busy, last;
  logic [Width-1:0] cycle;
  logic resumes_q;  // it goes on from the digest
  logic fresh_q;  // `ready`, and a job has to come next
  always_ff @(posedge clk_i) begin
    fresh_q   <= !rst_ni || (ready ? fresh_q && !start : ends && cycle == Width'(Cycles - 2));
    resumes_q <= rst_ni && active_q && !ends && (next_kind == KindPad || next_kind == KindTail);
  end
  logic needs_row, fresh;
  assign fresh = fresh_q;
  assign needs_row = op_q == OpChain && xmss;
  assign job_ready_o = fresh;
  assign begins = job_ready_o && job_valid_i;
  assign goes = ready && !fresh && (!needs_row || step_valid_i);
  assign step_ready_o = goes && needs_row;
  assign start = begins || goes;
  kind_e first_kind;
  always_comb begin
    unique case (job_i.op)
      OpRaw, OpPair: first_kind = KindRaw;
      OpChain: first_kind = KindF;
      default: first_kind = KindPrf;
    endcase
  end
  assign kind = fresh ? first_kind : next_kind;

  // From where a block starts: given, H(0), the state after the seed, or the last digest. Once a
  // block has got its own it is the next one's turn. The last word goes into an adder: it is
  // selected last by what comes last.
  origin_t first_origin, origin, origin_q;
  logic   reload;
  state_t from;
  assign first_origin = origin_of(first_kind, mode_i, job_i.op == OpPair);
  assign origin = fresh ? first_origin : origin_q;
  for (genvar i = 0; i < 7; i++) begin : gen_from
    assign from[i] = from_where(origin, InitialState[i], seed_i[i], a_i[i]);
  end
  assign from[7] = fresh ? from_where(
      first_origin, InitialState[7], seed_i[7], a_i[7]
  ) : from_where(
      origin_q, InitialState[7], seed_i[7], a_i[7]
  );
  assign reload = busy && !last && 32'(cycle) >= Fetched && !loaded_q && (!result_valid_o || result_ready_i);

  // The words of the next cycle; in the last one those of the next block, but for the digest.
  shape_t shape, shape_q, first_shape, next_shape;
  chain_shape u_first_shape (
      .kind_i (first_kind),
      .mode_i,
      .op_i   (job_i.op),
      .first_i(1'b1),
      .shape_o(first_shape)
  );
  chain_shape u_next_shape (
      .kind_i (next_kind),
      .mode_i,
      .op_i   (op_q),
      .first_i(1'b0),
      .shape_o(next_shape)
  );
  assign shape = fresh ? first_shape : shape_q;
  always_ff @(posedge clk_i) begin
    if (start) {origin_q, shape_q} <= {origin, shape};
    else if (reload || loaded_q) {origin_q, shape_q} <= {origin_of(next_kind, mode_i, 1'b0), next_shape};
    if (!rst_ni) {origin_q, shape_q} <= '0;
  end
  logic [UNROLL-1:0][31:0] begin_words, next_words;
  places_t late[UNROLL];
  for (genvar i = 0; i < UNROLL; i++) begin : gen_next
    logic [15:0] at;
    for (genvar n = 0; n < 16; n++) begin : gen_at
      if (n == i) begin : gen_first
        assign at[n] = ready;
      end else if (n % UNROLL == i) begin : gen_mine
        assign at[n] = 32'(cycle) == n / UNROLL - 1;
      end else begin : gen_other
        assign at[n] = 1'b0;
      end
    end
    // With eight words there are numbers among the first ones.
    chain_word #(
        .UNROLL(UNROLL)
    ) u_word (
        .at_i(at),
        .shape_i(shape),
        .step_i(UNROLL == 8 ? step_d : step_q),
        .part_i(UNROLL == 8 ? part_d : part_q),
        .digest_i(digest_o),
        .a_i(a_i[5:0]),
        .b0_i,
        .b1_i,
        .seed_i(seed_i[5:0]),
        .word_o(next_words[i]),
        .late_o(late[i])
    );
  end

  chain_begin #(
      .UNROLL(UNROLL)
  ) u_begin (
      .clk_i,
      .late_i  (late),
      .lms_i   (mode_i[1]),
      .digest_i(digest_o),
      .words_o (begin_words)
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
      .resume_i(resumes_q),
      .reload_i(reload && !resumed),
      .state_i (from),
      .begin_i (begin_words),
      .next_i  (next_words),
      .busy_o  (busy),
      .last_o  (last),
      .cycle_o (cycle),
      .digest_o
  );

  // Operands come free once the last block that needs them has read its words and its chaining
  // value.
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

  logic goes_on;
  assign goes_on = last && kind_q == KindF && !ends;
  assign step_d  = begins ? job_i.from : goes_on ? step_q + 8'd1 : step_q;
  assign part_d  = !start ? part_q : fresh ? 2'd0 : next_part;
  always_ff @(posedge clk_i) begin
    step_q <= step_d;
    part_q <= part_d;
    if (start) begin
      kind_q <= kind;
    end
    if (begins) begin
      op_q   <= job_i.op;
      left_q <= job_i.steps;
    end else if (goes_on) begin
      left_q <= left_q - 8'd1;
    end
    if (last) begin
      result_part_q <= op_q == OpNodeRow || op_q == OpRow ? (kind_q == KindKey ? 2'd0 : part_q) : 2'd0;
      result_last_q <= ends;
    end
    if (!rst_ni) {step_q, part_q, kind_q, op_q, left_q, result_part_q, result_last_q} <= '0;
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
