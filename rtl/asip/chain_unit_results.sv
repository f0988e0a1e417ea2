// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The results of LANES lanes: the targets of their jobs, up to three of which are in a lane at
// once, and for each lane a register that holds its result until it is taken.
module chain_unit_results
  import sha256_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter  int unsigned LANES = 1,
    localparam int unsigned Width = LANES > 1 ? $clog2(LANES) : 1
) (
    input wire clk_i,
    input wire rst_ni,
    // A job that is given, and the tag that it gets.
    input wire [LANES-1:0] give_job_i,
    input wire target_t target_i,
    output xmss_pkg::tag_t [LANES-1:0] tags_o,
    // Results of the lanes, which find a place where the register is not full.
    input wire [LANES-1:0] valid_i,
    output logic [LANES-1:0] full_o,
    input wire xmss_pkg::tag_t [LANES-1:0] tags_i,
    input wire [LANES-1:0][1:0] parts_i,  // of a row
    input wire [LANES-1:0] lasts_i,  // of its job
    input wire state_t [LANES-1:0] digests_i,
    // A result, until it is taken; while it is held no other one comes before it.
    input wire result_held_i,
    output logic result_o,
    output logic more_o,  // another one is there
    output target_t target_o,
    output state_t value_o,
    output logic last_o,
    input wire result_taken_i
);
  logic [LANES-1:0] lasts;
  target_t [LANES-1:0] targets;
  state_t [LANES-1:0] values;
  logic [Width-1:0] lane, lane_q, lowest;

  always_comb begin
    lowest = '0;
    for (int i = LANES - 1; i >= 0; i--) if (full_o[i]) lowest = Width'(i);
  end
  always_ff @(posedge clk_i) lane_q <= lane;
  assign lane = result_held_i ? lane_q : lowest;
  assign result_o = full_o != '0;
  assign more_o = (full_o & ~(LANES'(1) << lane)) != '0;
  assign target_o = targets[lane];
  assign value_o = values[lane];
  assign last_o = lasts[lane];

  /* verilator lint_off UNUSEDSIGNAL */
  logic [LANES-1:0][11:0] unused_tags;
  /* verilator lint_on UNUSEDSIGNAL */
  for (genvar i = 0; i < LANES; i++) begin : gen_lane
    logic takes, full_q;
    target_t [3:0] targets_q;
    target_t target;
    logic [1:0] entered_q;
    state_t value_q;
    assign takes = valid_i[i] && !full_q;
    assign unused_tags[i] = {tags_i[i].dest, tags_i[i].index[10:2]};
    always_comb begin
      tags_o[i] = '0;
      tags_o[i].index[1:0] = entered_q;
    end
    always_comb begin
      target = targets_q[tags_i[i].index[1:0]];
      target.address = target.address + {25'd0, parts_i[i], 5'd0};
    end
    always_ff @(posedge clk_i) begin
      if (give_job_i[i]) targets_q[entered_q] <= target_i;
      if (takes) begin
        value_q <= digests_i[i];
        targets[i] <= target;
        lasts[i] <= lasts_i[i];
      end
      if (!rst_ni) begin
        {entered_q, full_q} <= '0;
      end else begin
        entered_q <= entered_q + 2'(give_job_i[i]);
        full_q <= takes || (full_q && !(result_taken_i && lane == Width'(i)));
      end
    end
    assign full_o[i] = full_q;
    assign values[i] = value_q;
  end
endmodule

`default_nettype wire
