// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A unit for hash chains beside a processor, behind CV-X-IF. STAGE 1 (generic): one compression
// behind registers. STAGE 2 (refined): LANES lanes take whole chains and hashes from the RAM.
// They hash with SHA-256, or with SHAKE = 1 with SHAKE on one Keccak core, which has two lanes
// for a round per cycle.
module chain_unit
  import asip_pkg::*;
#(
    parameter int unsigned STAGE  = 2,
    parameter int unsigned LANES  = 1,
    parameter int unsigned UNROLL = 1,
    parameter int unsigned SHAKE  = 0,
    parameter int unsigned PORT   = LANES == 4 ? 128 : 64
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
    input wire [PORT-1:0] port_read_i
);
  if (!(STAGE inside {1, 2})) begin : g_bad_stage
    $error("STAGE is 1 or 2");
  end
  if (!(LANES inside {1, 2, 4}) || (STAGE == 1 && LANES != 1)) begin : g_bad_lanes
    $error("LANES is 1, 2 or 4, in STAGE 1 it is 1");
  end
  if (!(SHAKE inside {0, 1}) || (SHAKE == 1 && (STAGE != 2 || LANES != 2 * UNROLL))) begin : g_bad_shake
    $error("SHAKE is 0 or 1; with 1 STAGE is 2 and LANES is 2 UNROLL");
  end
  if (!(PORT inside {64, 128})) begin : g_bad_port
    $error("PORT is 64 or 128");
  end

  localparam logic [7:0] Words = 8'd1 << Put | 8'd1 << Go | 8'd1 << Get;
  localparam logic [7:0] Jobs = 8'd1 << Cfg | 8'd1 << Chain | 8'd1 << Hash | 8'd1 << Node | 8'd1 << Wait;
  localparam logic [7:0] Known = STAGE == 1 ? Words : SHAKE == 1 ? Words | Jobs : Jobs;

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

  if (STAGE == 1) begin : gen_words
    chain_unit_words #(
        .UNROLL(UNROLL)
    ) u_words (
        .clk_i,
        .rst_ni,
        .order_valid_i(order_valid),
        .order_i(order),
        .order_ready_o(order_ready),
        .data_o(data)
    );
    assign port_o = '0;
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    assign unused = &{1'b0, port_ready_i, port_read_i};
    /* verilator lint_on UNUSEDSIGNAL */
  end else begin : gen_jobs
    chain_unit_jobs #(
        .LANES (LANES),
        .UNROLL(UNROLL),
        .SHAKE (SHAKE),
        .PORT  (PORT)
    ) u_jobs (
        .clk_i,
        .rst_ni,
        .order_valid_i(order_valid),
        .order_i(order),
        .order_ready_o(order_ready),
        .data_o(data),
        .port_o,
        .port_ready_i,
        .port_read_i
    );
  end
endmodule

`default_nettype wire
