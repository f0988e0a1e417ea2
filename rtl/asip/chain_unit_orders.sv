// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The refined stage's orders become jobs, one of which waits here. `Cfg` sets registers:
//   0  the mode in rs1; the seed (chain_core's `seed_i`) are eight words at rs2; waits for all jobs
//   1  rs1 is where the rows begin
//   2  rs1 is of the next job: first step, steps, row (8, 8, 16 bits); rs2 is where its result goes
// `Chain` advances the value at rs1; the head is at rs2, or with bit 0 of funct7 rows are given.
// Its result replaces the value, or with bit 1 goes where that of a hash goes. With bit 2 the
// value itself does.
// `Node` hashes the pair at rs1 with the row at rs2 (KEY's state and two masks), or with funct7 = 1
// makes the row of the address at rs1. `Hash` compresses the block at rs2 into the state at rs1.
// funct7 has bits: 0 the block that pads 128 bytes follows; 1 the block has 32 bytes, and padding;
// 2 the state is bytes; 3 the result is not. `Wait` lets the processor go on when no more than rs1
// jobs are under way.
//
// With SHAKE = 1 the seed is bytes, and `Hash` is PRF of the value at rs2 with KEY at rs1, or with
// bit 0 of funct7 PRF_keygen of both values there. `Put` replaces two words of Keccak's state by
// rs1 and rs2, pair funct7[4:0], one of 25; `Go` permutes it once no job is under way; `Get` reads
// word funct7[5:0], one of 50.
module chain_unit_orders
  import asip_pkg::*;
  import chain_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter int unsigned SHAKE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire order_valid_i,
    input wire order_t order_i,
    output logic order_ready_o,
    output mode_e mode_o,
    output logic [31:0] rows_o,
    output logic seed_valid_o,
    output logic [31:0] seed_o,
    input wire seed_done_i,
    output logic job_valid_o,
    output chain_unit_pkg::request_t job_o,
    input wire job_taken_i,
    input wire ended_i,  // a job's result is in memory
    output logic put_o,
    output logic permute_o,
    input wire permuted_i
);
  chain_unit_pkg::request_t job_q;
  mode_e mode_q;
  logic [31:0] rows_q, target_q, seed_q;
  logic [25:0] span_q;
  logic valid_q, seeding_q, permuting_q;
  logic [5:0] under_way_q;

  logic begins, is_seed, is_node, is_go;
  assign is_seed = order_i.which == Cfg && order_i.variant == 7'd0;
  assign is_node = order_i.which == Node;
  assign is_go   = SHAKE != 0 && order_i.which == Go;
  assign begins  = order_i.which == Chain || order_i.which == Hash || is_node;
  always_comb begin
    order_ready_o = !seeding_q && !permuting_q;
    if (begins && valid_q) order_ready_o = 1'b0;
    if ((is_seed || is_go) && under_way_q != '0) order_ready_o = 1'b0;
    if (order_i.which == Wait && 32'(under_way_q) > order_i.rs1) order_ready_o = 1'b0;
  end

  logic goes, is_chain, rows, derives;
  assign goes = order_valid_i && order_ready_o;
  assign put_o = SHAKE != 0 && goes && order_i.which == Put;
  assign permute_o = goes && is_go;
  assign derives = SHAKE != 0 && order_i.which == Hash;
  assign is_chain = order_i.which == Chain;
  assign rows = order_i.variant[0];
  op_e op;
  always_comb begin
    unique case (order_i.which)
      Chain: op = rows || (SHAKE == 0 && mode_q[1]) ? OpChain : OpFly;
      Node: op = rows ? OpNodeRow : OpPair;
      default: op = order_i.variant[0] ? OpPair : derives ? OpChain : OpRaw;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (goes && is_seed) {mode_q, seed_q} <= {mode_e'(order_i.rs1[1:0]), order_i.rs2};
    if (goes && order_i.which == Cfg && order_i.variant == 7'd1) rows_q <= order_i.rs1;
    if (goes && order_i.which == Cfg && order_i.variant == 7'd2) {span_q, target_q} <= {order_i.rs1[25:0], order_i.rs2};
    if (goes && begins) begin
      job_q.chain <= is_chain;
      job_q.copy <= is_chain && order_i.variant[2];
      job_q.node <= is_node;
      job_q.job.op <= op;
      job_q.job.from <= derives ? 8'hff : span_q[7:0];
      job_q.job.steps <= derives ? 8'd1 : span_q[15:8];
      job_q.row <= span_q[25:16];
      job_q.padded <= order_i.variant[1];
      job_q.bytes <= order_i.variant[2];
      job_q.native <= order_i.which == Hash && order_i.variant[3];
      job_q.first <= order_i.rs1;
      job_q.second <= order_i.rs2;
      job_q.target <= is_chain && order_i.variant[2:1] == '0 ? order_i.rs1 : target_q;
    end
    if (!rst_ni) begin
      {valid_q, seeding_q, permuting_q, under_way_q} <= '0;
    end else begin
      valid_q <= (goes && begins) || (valid_q && !job_taken_i);
      seeding_q <= (goes && is_seed) || (seeding_q && !seed_done_i);
      permuting_q <= permute_o || (permuting_q && !permuted_i);
      under_way_q <= under_way_q + 6'(goes && begins) - 6'(ended_i);
    end
  end
  assign mode_o = mode_q;
  assign rows_o = rows_q;
  assign seed_o = seed_q;
  assign seed_valid_o = seeding_q;
  assign job_valid_o = valid_q;
  assign job_o = job_q;
endmodule

`default_nettype wire
