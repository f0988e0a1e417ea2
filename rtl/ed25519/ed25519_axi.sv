// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The core with one lane on a bus: commands through AXI4-Lite registers (registers.toml), input and
// output as AXI-Stream of 64 bits. TLAST of the input ends a message (the words of a verification
// come before it in the same packet, the second reading of a signature is a packet of its own); an
// empty message is a beat without a byte kept. A seed has a stream of its own, from which nothing
// but key generation takes words.
`default_nettype none

module ed25519_axi
  import ed25519_axi_regs_pkg::*;
#(
    parameter bit FAST = 1'b0,
    parameter bit FIXED_TIME = 1'b1,
    parameter bit HALF_SIZE = 1'b0,
    parameter int unsigned MUL_LATENCY = 2,
    parameter int unsigned TILE_B = 17,
    // Registers refuse accesses that are not secure, and those that are not privileged.
    parameter bit ONLY_SECURE = 1,
    parameter bit ONLY_PRIVILEGED = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,  // forgets everything but the bus, as a reset does
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
    input wire [63:0] s_axis_key_tdata,
    input wire s_axis_key_tvalid,
    output logic s_axis_key_tready,
    input wire [63:0] s_axis_tdata,
    input wire [7:0] s_axis_tkeep,
    input wire s_axis_tlast,
    input wire s_axis_tvalid,
    output logic s_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [7:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic m_axis_tvalid,
    input wire m_axis_tready,
    output logic irq_o
);
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

  ed25519_axi_regs u_regs (
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

  // ---------------------------------------------------------------- one operation at a time
  if (StatusVerdictNone != ed25519_pkg::VerdictNone || StatusVerdictGood != ed25519_pkg::VerdictGood ||
      StatusVerdictBad != ed25519_pkg::VerdictBad || StatusVerdictRefused != ed25519_pkg::VerdictRefused ||
      StatusVerdictDone != ed25519_pkg::VerdictDone) begin : gen_names
    $error("registers.toml and ed25519_pkg differ");
  end

  logic asked_q, running_q, shown_key, command_ready, response, wiping, kept_n;
  // Twice, once inverted. Nothing is good before the core has said so of the last command.
  logic [7:0] answer, verdict_q, inverse_q, verdict;
  logic [31:0] cycles_q;

  assign kept_n = rst_ni && !zeroize_i;
  always_ff @(posedge clk_i) begin
    asked_q   <= kept_n && (set.command_strobe || (asked_q && !command_ready));
    running_q <= kept_n && ((asked_q && command_ready) || (running_q && !response));
    if (response) {verdict_q, inverse_q} <= {answer, ~answer};
    if (set.command_strobe || !kept_n) {verdict_q, inverse_q} <= {StatusVerdictNone, ~StatusVerdictNone};
    if (set.command_strobe) cycles_q <= '0;
    else if (asked_q || running_q) cycles_q <= cycles_q + 32'd1;
    if (!kept_n) cycles_q <= '0;
  end
  assign verdict = inverse_q == ~verdict_q ? verdict_q : StatusVerdictRefused;

  always_comb begin
    shown = '0;
    shown.features = '{fast: FAST, fixed_time: FAST || FIXED_TIME, half_size: HALF_SIZE, latency: 4'(MUL_LATENCY)};
    shown.status.busy = set.command_strobe || asked_q || running_q;
    shown.status.ok = verdict == StatusVerdictGood || verdict == StatusVerdictDone;
    shown.status.verdict = verdict;
    shown.status.key = shown_key;
    shown.done.response = response;
    shown.cycles = cycles_q;
  end
  assign irq_o = set.done.response && set.interrupt_enable.response;

  // ---------------------------------------------------------------- streams and core
  logic in_valid, in_ready, in_last, out_valid, out_ready, out_last, streams_n, stream_ready;
  logic [7:0] in_keep;
  logic [63:0] in_data, out_data;
  logic [4:0] in_bytes;
  assign in_bytes = axis_pkg::bytes_of({8'h00, in_keep});

  // A beat that comes while the core is wiped waits.
  assign streams_n = kept_n && !wiping;
  assign s_axis_tready = stream_ready && !wiping;
  axis_slice #(
      .BITS(73),
      .WIPE(1)
  ) u_in_slice (
      .clk_i,
      .rst_ni (streams_n),
      .valid_i(s_axis_tvalid && !wiping),
      .ready_o(stream_ready),
      .data_i ({s_axis_tkeep, s_axis_tlast, s_axis_tdata}),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o ({in_keep, in_last, in_data})
  );

  logic unused_busy;
  ed25519 #(
      .FAST(FAST),
      .FIXED_TIME(FIXED_TIME),
      .HALF_SIZE(HALF_SIZE),
      .MUL_LATENCY(MUL_LATENCY),
      .TILE_B(TILE_B)
  ) u_core (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .wiping_o   (wiping),
      .cmd_valid_i(asked_q),
      .cmd_ready_o(command_ready),
      .cmd_op_i   (set.command.op),
      .key_valid_i(s_axis_key_tvalid),
      .key_ready_o(s_axis_key_tready),
      .key_data_i (s_axis_key_tdata),
      .key_held_o (shown_key),
      .in_valid_i (in_valid),
      .in_ready_o (in_ready),
      .in_data_i  (in_data),
      .in_bytes_i (in_bytes[3:0]),
      .in_last_i  (in_last),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_data_o (out_data),
      .out_last_o (out_last),
      .rsp_valid_o(response),
      .rsp_ready_i(1'b1),
      .rsp_verdict_o(answer),
      .mul_busy_o (unused_busy)
  );

  axis_slice #(
      .BITS(65),
      .WIPE(1)
  ) u_out_slice (
      .clk_i,
      .rst_ni (streams_n),
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i ({out_last, out_data}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tlast, m_axis_tdata})
  );
  assign m_axis_tkeep = '1;

  logic unused_bits;
  assign unused_bits = ^{in_bytes[4], set.scratch};
endmodule

`default_nettype wire
