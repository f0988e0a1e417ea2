// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The operands of a job that was taken two cycles before, or of a step that was asked for two
// cycles before. The register that makes it two is behind the memories or, with `SRAM_LATENCY` = 1,
// here.
module xmss_operands
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_hash_pkg::*;
#(
    parameter bit SHAKE = 0,
    parameter int unsigned SRAM_LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire job_i,
    input wire row_valid_i,  // a step is asked for, not a job
    input wire pick_t pick_i,
    output pick_t pick_o,  // of the job
    input wire mode_e mode_i,
    input wire raw_t raw_i,
    input wire values_t values_i,
    input wire stored_words_t words_i,
    output operands_t operands_o
);
  pick_t pick_q, pick;
  logic row_valid_q, row, prepared, n24, lms;
  state_t address, prefix;
  operands_t operands;
  assign n24 = mode_i inside {XmssN24, LmsN24};
  assign lms = mode_i[1];
  assign prepared = pick.source == FromChain && pick.job.op == OpChain;
  assign address = {32'd0, pick.address_6, pick.address_5, pick.address_4, {28'd0, pick.address_type}, 96'd0};
  assign prefix = {64'd0, pick.address_5[15:0], 16'd0, pick.address_4, values_i.pub_seed[3:0]};  // of LMS
  always_comb begin
    operands = {words_i.row_key, words_i.row_mask, address};
    if (!row) begin
      unique case (pick.source)
        FromRaw:  operands = '{a: raw_i.state, b0: raw_i.block[7:0], b1: raw_i.block[15:8]};
        FromNode: operands = {words_i.node_key, words_i.left ^ words_i.node_mask0, words_i.right ^ words_i.node_mask1};
        FromSeed:
        if (lms) begin
          {operands.a, operands.b1} = {prefix, values_i.secret};
        end else if (n24 && !SHAKE) begin
          operands = {values_i.secret, 64'd0, Mark, 64'd0, address[5:3], KeygenBitsN24, 224'd0};
        end else begin
          {operands.a, operands.b0} = {values_i.secret, values_i.pub_seed};
        end
        FromChain: begin
          if (prepared) operands.b1 = words_i.left;
          else operands.b0 = words_i.left;
          if (lms) operands.a = prefix;
        end
        default:  ;
      endcase
    end
  end
  wire unused = &{values_i, pick};

  always_ff @(posedge clk_i) begin
    row_valid_q <= row_valid_i;
    pick_o <= pick_q;
    if (job_i || !rst_ni) pick_q <= pick_i;
  end
  if (SRAM_LATENCY == 1) begin : gen_here
    assign {pick, row} = {pick_q, row_valid_q};
    always_ff @(posedge clk_i) operands_o <= rst_ni ? operands : '0;
  end else begin : gen_behind
    assign pick = pick_o;
    always_ff @(posedge clk_i) row <= row_valid_q;
    assign operands_o = operands;
  end
endmodule

`default_nettype wire
