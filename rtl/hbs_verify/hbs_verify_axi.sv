// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// hbs_verify on a bus: commands and answers through AXI4-Lite registers (registers.toml), keys,
// signatures and messages as an AXI-Stream of 32 bits. A stream has whole words, TLAST with the
// last one. TREADY does not depend on TVALID.
//
// The core shows its answer until the next command, and decides it anew in each of these cycles.
`default_nettype none

module hbs_verify_axi
  import hbs_verify_regs_pkg::*;
#(
    // Registers refuse accesses that are not secure, and those that are not privileged. Nothing is
    // secret here; but whoever may give commands may put a verdict in the place of another's.
    parameter bit ONLY_SECURE = 0,
    parameter bit ONLY_PRIVILEGED = 0,
    parameter bit XMSS = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [AddressBits-1:0] s_axil_awaddr,
    input wire [2:0] s_axil_awprot,
    input wire s_axil_awvalid,
    output logic s_axil_awready,
    input wire [31:0] s_axil_wdata,
    input wire [3:0] s_axil_wstrb,
    input wire s_axil_wvalid,
    output logic s_axil_wready,
    output logic [1:0] s_axil_bresp,
    output logic s_axil_bvalid,
    input wire s_axil_bready,
    input wire [AddressBits-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    output logic s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic s_axil_rvalid,
    input wire s_axil_rready,
    input wire [31:0] s_axis_tdata,
    input wire s_axis_tlast,
    input wire s_axis_tvalid,
    output logic s_axis_tready,
    output logic stack_valid_o,  // the stack of XMSS, as `hbs_verify` has it
    input wire stack_ready_i,
    output logic stack_write_o,
    output logic [6:0] stack_address_o,
    output logic [31:0] stack_data_o,
    input wire [31:0] stack_data_i,
    output logic irq_o
);
  // The register map and the core must name the same verdicts.
  if (StatusVerdictGood != 8'(xmss_control_pkg::VerdictGood) || StatusVerdictBad != 8'(xmss_control_pkg::VerdictBad) ||
      StatusVerdictRefused != 8'(xmss_control_pkg::VerdictError)) begin : gen_names
    $error("registers.toml and xmss_control_pkg differ");
  end

  // ---------------------------------------------------------------- registers
  logic wr_valid, wr_error, rd_error;
  logic [AddressBits-1:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0] wr_strb;
  to_core_t set;
  from_core_t shown;

  axil_front #(
      .ADDRESS_BITS(AddressBits),
      .ONLY_SECURE(ONLY_SECURE),
      .ONLY_PRIVILEGED(ONLY_PRIVILEGED)
  ) u_front (
      .*,
      .wr_valid_o(wr_valid),
      .wr_addr_o (wr_addr),
      .wr_data_o (wr_data),
      .wr_strb_o (wr_strb),
      .wr_error_i(wr_error),
      .rd_addr_o (rd_addr),
      .rd_data_i (rd_data),
      .rd_error_i(rd_error)
  );

  hbs_verify_regs u_regs (
      .clk_i,
      .rst_ni,
      .wr_valid_i(wr_valid),
      .wr_addr_i (wr_addr),
      .wr_data_i (wr_data),
      .wr_strb_i (wr_strb),
      .wr_error_o(wr_error),
      .rd_addr_i (rd_addr),
      .rd_data_o (rd_data),
      .rd_error_o(rd_error),
      .core_i    (shown),
      .core_o    (set)
  );

  // ---------------------------------------------------------------- one verification at a time
  // `set` holds a command's fields in the cycle of its strobe and the next one, for the bus writes
  // in every second cycle. In the first the last answer is let go, in the next the core, which is
  // idle then, takes the command.
  logic asks, begins, clears, core_n, asked_q, running_q, answered_q, ready, answer;
  logic [31:0] cycles_q;
  logic [ 7:0] verdict;
  assign clears = set.command_strobe && set.command.op == CommandOpClear;
  assign asks   = set.command_strobe && set.command.op == CommandOpVerify;
  assign begins = asks && !running_q;
  assign core_n = rst_ni && !clears;

  always_ff @(posedge clk_i) begin
    asked_q <= core_n && begins;
    running_q <= core_n && (begins || (running_q && (asked_q || !answer)));
    answered_q <= core_n && answer && !begins;
    if (begins || !rst_ni) cycles_q <= '0;
    else if (running_q) cycles_q <= cycles_q + 32'd1;
  end

  always_comb begin
    shown = '0;
    shown.status.busy = asks || running_q;
    shown.status.verdict = answer ? verdict : StatusVerdictNone;
    shown.done = '{answer: answer && !answered_q, lost: asks && running_q};
    shown.cycles = cycles_q;
    shown.features.xmss = XMSS;
  end
  assign irq_o = (set.done & set.interrupt_enable) != '0;

  // ---------------------------------------------------------------- the core
  hbs_verify #(
      .XMSS(XMSS)
  ) u_core (
      .clk_i,
      .rst_ni       (core_n),
      .cmd_valid_i  (asked_q),
      .cmd_ready_o  (ready),
      .cmd_hss_i    (set.command.hss),
      .cmd_xmss_i   (set.command.xmss),
      .cmd_digest_i (set.command.digest),
      .cmd_length_i ({set.length_high, set.length}),
      .in_valid_i   (s_axis_tvalid),
      .in_ready_o   (s_axis_tready),
      .in_data_i    (s_axis_tdata),
      .in_last_i    (s_axis_tlast),
      .rsp_valid_o  (answer),
      .rsp_ready_i  (begins),
      .rsp_verdict_o(verdict),
      .stack_valid_o,
      .stack_ready_i,
      .stack_write_o,
      .stack_address_o,
      .stack_data_o,
      .stack_data_i
  );
  wire unused = ready;
endmodule

`default_nettype wire
