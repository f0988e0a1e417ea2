// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A unit for hash chains beside a processor, behind CV-X-IF. STAGE 2 (refined): LANES lanes take
// whole chains and hashes from the RAM.
module chain_unit
  import asip_pkg::*;
#(
    parameter int unsigned STAGE  = 2,
    parameter int unsigned LANES  = 1,
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire issue_t issue_i,
    output issue_answer_t answer_o,
    input wire commit_t commit_i,
    output result_t result_o,
    input wire result_ready_i,
    output request_t port_o,
    input wire port_ready_i,
    input wire [63:0] port_read_i
);
  if (STAGE != 2) begin : g_bad_stage
    $error("STAGE is 2");
  end
  if (!(LANES inside {1, 2, 4})) begin : g_bad_lanes
    $error("LANES is 1, 2 or 4");
  end

  localparam logic [7:0] Known = 8'd1 << Cfg | 8'd1 << Chain | 8'd1 << Hash | 8'd1 << Node | 8'd1 << Wait;

  logic order_valid, order_ready;
  order_t order;
  logic [31:0] data;
  chain_unit_front u_front (
      .clk_i,
      .rst_ni,
      .known_i(Known),
      .issue_i,
      .answer_o,
      .commit_i,
      .result_o,
      .result_ready_i,
      .order_valid_o(order_valid),
      .order_o(order),
      .order_ready_i(order_ready),
      .data_i(data)
  );
  chain_unit_jobs #(
      .LANES (LANES),
      .UNROLL(UNROLL)
  ) u_jobs (
      .clk_i,
      .rst_ni,
      .order_valid_i(order_valid),
      .order_i(order),
      .order_ready_o(order_ready),
      .port_o,
      .port_ready_i,
      .port_read_i
  );
  assign data = '0;
endmodule

`default_nettype wire
