// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A slot of the Keccak core with the operands of its job: which block is next, and what becomes of
// the digest of the one that ends. `want_*` asks, `take_i` says that it will be given, `give_*_i`
// gives.
//
// `a` is KEY, `b0` a mask or a value, `b1` the address or the value of a chain whose KEYs and masks
// are given.
module xmss_shake_lane
  import sha256_pkg::state_t;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_shake_pkg::*;
#(
    parameter int unsigned TURNS = 12  // of a permutation
) (
    input wire clk_i,
    input wire rst_ni,
    output logic want_job_o,
    output logic want_row_o,
    output logic [9:0] row_o,
    input wire take_i,
    input wire give_job_i,
    input wire give_row_i,
    input wire job_t job_i,
    input wire tag_t tag_i,
    input wire [9:0] row_i,
    input wire state_t a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    // The next block, if there is one; a cycle later its turn passes, with what was chosen.
    output turn_t turn_o,
    output logic seeded_o,  // its KEY is the seed
    output state_t key_o,
    output state_t first_o,
    output state_t second_o,
    input wire passes_i,
    input wire ends_i,
    input wire state_t digest_i,
    input wire enters_i,
    input wire place_t entered_i,
    output tag_t tag_o,  // of the block in the core
    output end_t end_o
);
  /*verilator no_inline_module*/  // one copy of its code for all lanes of a model
  localparam int unsigned Early = 4;
  localparam int unsigned Width = $clog2(TURNS);

  state_t a_q, b0_q, b1_q;
  job_t job_q;
  tag_t tag_q, active_tag_q;
  logic [9:0] row_q;
  logic job_there_q, row_there_q, asked_q;

  // The job in work: its next block is part `part_q` of step `step_q`, `left_q` steps are to begin.
  // The block in the core.
  logic active_q, busy_q, final_q;
  op_e op_q;
  logic [1:0] part_q, block_part_q;
  logic [7:0] step_q, left_q;
  logic [Width-1:0] turn_q;

  assign want_job_o = !job_there_q && !asked_q && (!active_q || (final_q && busy_q && 32'(turn_q) >= TURNS - 1 - Early));
  assign want_row_o = active_q && op_q == OpChain && !final_q && !row_there_q && !asked_q;
  assign row_o = row_q;
  assign tag_o = active_tag_q;

  // ---------------------------------------------------------------- the next block
  logic on, prf, derives;
  op_e op;
  logic [1:0] part;
  logic [7:0] step, left;
  state_t address;
  assign on = active_q && !final_q;
  assign op = on ? op_q : job_q.op;
  assign part = on ? part_q : 2'd0;
  assign step = on ? step_q : job_q.from;
  assign left = on ? left_q : job_q.steps;
  assign prf = op == OpRow || op == OpNodeRow || (op == OpFly && part != 2'd2);
  assign derives = step == 8'hff && (op == OpPair || op == OpChain);
  always_comb begin
    address = b1_q;
    if (op != OpNodeRow) address[6] = {24'd0, step};
    address[7] = {30'd0, part};
  end
  assign seeded_o = prf;
  assign key_o = a_q;
  assign first_o = prf ? address : op != OpChain || derives || turn_o.live ? b0_q : b0_q ^ b1_q;
  assign second_o = b1_q;
  always_comb begin
    turn_o = '{
        valid: on ? op != OpChain || row_there_q : job_there_q,
        live: on && busy_q && !prf,
        kind: prf || derives ? TypePrf : TypeF,
        place: '{on: on, op: op, part: part, step: step, left: left}
    };
    if (op == OpRaw) turn_o.kind = TypeMessage;
    if (op == OpPair) turn_o.kind = derives ? TypeKeygen : TypeH;
  end

  // ---------------------------------------------------------------- it enters
  logic enters, last_step, final_block;
  assign enters = passes_i && enters_i;
  assign last_step = entered_i.left == 8'd1;
  always_comb begin
    unique case (entered_i.op)
      OpChain: final_block = last_step;
      OpFly: final_block = last_step && entered_i.part == 2'd2;
      OpRow: final_block = entered_i.part == 2'd1;
      OpNodeRow: final_block = entered_i.part == 2'd2;
      default: final_block = 1'b1;
    endcase
  end
  logic step_enters;
  assign step_enters = entered_i.op == OpChain || (entered_i.op == OpFly && entered_i.part == 2'd2);
  always_ff @(posedge clk_i) begin
    if (enters || !rst_ni) begin
      op_q <= entered_i.op;
      part_q <= entered_i.op == OpChain || entered_i.part == 2'd2 ? '0 : entered_i.part + 2'd1;
      block_part_q <= entered_i.part;
      step_q <= entered_i.step + 8'(step_enters);
      left_q <= entered_i.left - 8'(step_enters);
      final_q <= final_block;
      if (!entered_i.on) active_tag_q <= tag_q;
    end
    if (!rst_ni) active_tag_q <= '0;
    if (enters || !rst_ni) turn_q <= '0;
    else if (passes_i && 32'(turn_q) != TURNS - 1) turn_q <= turn_q + Width'(1);
  end

  // ---------------------------------------------------------------- it ends
  logic ends, row;
  assign ends = passes_i && ends_i && busy_q;
  assign row = op_q == OpRow || op_q == OpNodeRow;
  assign end_o = '{
          result: busy_q && (row || final_q),
          of_message: busy_q && op_q == OpRaw,
          part: row ? block_part_q : 2'd0,
          last: final_q
      };
  always_ff @(posedge clk_i) begin
    if (give_job_i || give_row_i) begin
      a_q  <= a_i;
      b0_q <= b0_i;
    end else if (ends && op_q == OpFly) begin
      if (block_part_q == 2'd0) a_q <= digest_i;
      if (block_part_q == 2'd2 && !final_q) b0_q <= digest_i;
    end
    if (give_job_i) b1_q <= b1_i;
    else if (ends && op_q == OpChain && !final_q) b1_q <= digest_i;
    if (give_job_i || !rst_ni) begin
      job_q <= job_i;
      tag_q <= tag_i;
    end
    if (give_job_i || !rst_ni) row_q <= row_i + 10'd1;
    else if (give_row_i) row_q <= row_q + 10'd1;
    if (!rst_ni) {a_q, b0_q, b1_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {job_there_q, row_there_q, asked_q, active_q, busy_q} <= '0;
    end else begin
      if (give_job_i) job_there_q <= 1'b1;
      else if (enters && !entered_i.on) job_there_q <= 1'b0;
      if (give_row_i) row_there_q <= 1'b1;
      else if (enters) row_there_q <= 1'b0;
      if (take_i) asked_q <= 1'b1;
      else if (give_job_i || give_row_i) asked_q <= 1'b0;
      if (enters) {active_q, busy_q} <= 2'b11;
      else if (ends) {active_q, busy_q} <= {!final_q, 1'b0};
    end
  end
endmodule

`default_nettype wire
