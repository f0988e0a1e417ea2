// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The generic stage: a compression behind registers. `Put` writes two words, rs1 and rs2: pair
// funct7[3:0] of the state (pairs 0 to 3) and the block behind it. `Go` compresses; funct7[1:0]
// says from where: 0 the state that was put, 1 H(0), 2 the last digest. `Get` reads word
// funct7[2:0] of the digest. With funct7[6] the bytes of a word turn round on the way.
module chain_unit_words
  import asip_pkg::*;
  import sha256_pkg::*;
  import chain_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire order_valid_i,
    input wire order_t order_i,
    output logic order_ready_o,
    output logic [31:0] data_o
);
  operands_t words_q;
  state_t from, digest, digest_q;
  logic [1:0] from_q;
  logic waits_q;  // the core has not taken it yet
  logic busy_q;  // until the digest is there
  logic free, taken, ready, result;
  logic goes, turns;

  assign turns = order_i.variant[6];
  always_comb begin
    unique case (order_i.which)
      Put: order_ready_o = free && !waits_q;
      default: order_ready_o = !busy_q;
    endcase
  end
  assign goes   = order_valid_i && order_ready_o;
  assign data_o = swapped(turns, digest_q[order_i.variant[2:0]]);
  assign taken  = waits_q && ready;

  for (genvar i = 0; i < 12; i++) begin : gen_pair
    always_ff @(posedge clk_i) begin
      if (goes && order_i.which == Put && order_i.variant[3:0] == 4'(i)) begin
        words_q[2*i]   <= swapped(turns, order_i.rs1);
        words_q[2*i+1] <= swapped(turns, order_i.rs2);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (goes && order_i.which == Go) from_q <= order_i.variant[1:0];
    if (result) digest_q <= digest;
    if (!rst_ni) begin
      {waits_q, busy_q} <= '0;
    end else begin
      waits_q <= (goes && order_i.which == Go) || (waits_q && !taken);
      busy_q  <= (goes && order_i.which == Go) || (busy_q && !result);
    end
  end
  always_comb begin
    from = words_q[7:0];
    if (from_q[0]) from = InitialState;
    if (from_q[1]) from = digest_q;
  end

  /* verilator lint_off UNUSEDSIGNAL */
  logic step_ready, step_want, keep_a, keep_x, last;
  logic [1:0] part;
  /* verilator lint_on UNUSEDSIGNAL */
  chain_core #(
      .UNROLL(UNROLL)
  ) u_core (
      .clk_i,
      .rst_ni,
      .mode_i(XmssN32),
      .seed_i('0),
      .job_valid_i(waits_q),
      .job_ready_o(ready),
      .job_i('{op: OpRaw, from : '0, steps: '0}),
      .a_i(from),
      .b0_i(words_q[15:8]),
      .b1_i(words_q[23:16]),
      .free_o(free),
      .step_valid_i(1'b0),
      .step_ready_o(step_ready),
      .step_want_o(step_want),
      .keep_a_o(keep_a),
      .keep_x_o(keep_x),
      .result_valid_o(result),
      .result_ready_i(1'b1),
      .result_part_o(part),
      .result_last_o(last),
      .digest_o(digest)
  );
endmodule

`default_nettype wire
