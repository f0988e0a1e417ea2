// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The operands of the job or step that was asked for two cycles before, from what was read of the
// memories in the first of them.
module xmss_operands
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_hash_pkg::*;
#(
    parameter bit SHAKE = 0
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
    input wire state_t left_i,
    input wire state_t right_i,
    input wire state_t row_key_i,
    input wire state_t row_mask_i,
    input wire state_t node_key_i,
    input wire state_t node_mask0_i,
    input wire state_t node_mask1_i,
    output operands_t operands_o
);
  pick_t pick_q;
  logic row_valid_q, prepared, n24, lms;
  state_t address, prefix;
  operands_t operands;
  assign n24 = mode_i inside {XmssN24, LmsN24};
  assign lms = mode_i[1];
  assign prepared = pick_q.source == FromChain && pick_q.job.op == OpChain;
  assign address = {32'd0, pick_q.address_6, pick_q.address_5, pick_q.address_4, {28'd0, pick_q.address_type}, 96'd0};
  assign prefix = {64'd0, pick_q.address_5[15:0], 16'd0, pick_q.address_4, values_i.pub_seed[3:0]};  // of LMS
  always_comb begin
    operands = {row_key_i, row_mask_i, address};
    if (!row_valid_q) begin
      unique case (pick_q.source)
        FromRaw:  operands = '{a: raw_i.state, b0: raw_i.block[7:0], b1: raw_i.block[15:8]};
        FromNode: operands = {node_key_i, left_i ^ node_mask0_i, right_i ^ node_mask1_i};
        FromSeed:
        if (lms) begin
          {operands.a, operands.b1} = {prefix, values_i.secret};
        end else if (n24 && !SHAKE) begin
          operands = {values_i.secret, 64'd0, Mark, 64'd0, address[5:3], KeygenBitsN24, 224'd0};
        end else begin
          {operands.a, operands.b0} = {values_i.secret, values_i.pub_seed};
        end
        FromChain: begin
          if (prepared) operands.b1 = left_i;
          else operands.b0 = left_i;
          if (lms) operands.a = prefix;
        end
        default:  ;
      endcase
    end
  end
  wire unused = &{values_i};

  always_ff @(posedge clk_i) begin
    row_valid_q <= row_valid_i;
    {pick_o, operands_o} <= {pick_q, operands};
    if (!rst_ni) operands_o <= '0;
    if (job_i || !rst_ni) pick_q <= pick_i;
  end
endmodule

`default_nettype wire
