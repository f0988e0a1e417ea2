// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// sha3_unit on a bus: commands through AXI4-Lite registers (registers.toml), messages and output as
// AXI-Stream of 128 bits, TID the tag. On the message stream TUSER is how the piece ends (end_e of
// sha3_pkg) and counts in the beat of TLAST only.
`default_nettype none

module sha3_unit_axi
  import sha3_pkg::*;
  import sha3_regs_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 2,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,  // forgets everything but the bus, as a reset does
    input wire [AddressBits-1:0] s_axil_awaddr,
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
    input wire s_axil_arvalid,
    output logic s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic s_axil_rvalid,
    input wire s_axil_rready,
    input wire [127:0] s_axis_tdata,
    input wire [15:0] s_axis_tkeep,
    input wire s_axis_tlast,
    input wire [1:0] s_axis_tid,
    input wire [1:0] s_axis_tuser,
    input wire s_axis_tvalid,
    output logic s_axis_tready,
    output logic [127:0] m_axis_tdata,
    output logic [15:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic [1:0] m_axis_tid,
    output logic m_axis_tvalid,
    input wire m_axis_tready,
    output logic irq_o
);

  // The register map and the unit must name the same operations.
  if (CommandOpResume != OpResume || CommandOpLoad != OpLoad || CommandOpSave != OpSave || CommandOpPrefix != OpPrefix ||
      CommandOpChain != OpChain || CommandOpHash != OpHash || CommandOpClear != OpClear) begin : g_names
    $error("registers.toml and sha3_pkg differ");
  end

  // ---------------------------------------------------------------- registers
  logic wr_valid, wr_error, rd_error;
  logic [AddressBits-1:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0] wr_strb;
  to_core_t set;
  from_core_t shown;

  axil_front #(
      .ADDRESS_BITS(AddressBits)
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

  // All but the bus forgets with the unit.
  logic kept_n, command_taken, clears;
  assign kept_n = rst_ni && !zeroize_i && !clears;

  sha3_regs u_regs (
      .clk_i,
      .rst_ni    (kept_n),
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

  // ---------------------------------------------------------------- commands
  logic busy_q, command_ready;
  cmd_t command;
  logic [63:0] cycles_q;
  logic [3:0] finished;
  assign command_taken = busy_q && command_ready;
  assign clears = command_taken && command.op == OpClear;
  assign command = '{
          op: op_e'(set.command.op),
          tag: set.command.tag,
          rate: set.command.rate,
          suffix: set.command.suffix,
          length: set.length,
          steps: set.steps.count,
          counter: set.counter,
          lanes: set.command.lanes,
          data: set.data
      };

  always_ff @(posedge clk_i) begin
    busy_q   <= kept_n && (set.command_strobe || (busy_q && !command_ready));
    cycles_q <= !rst_ni || set.control.clear ? '0 : cycles_q + 64'd1;
  end

  always_comb begin
    shown = '0;
    shown.features = '{unroll: 4'(UNROLL), inner: 2'(INNER), outreg: OUTREG != 0, tags: 4'(Tags)};
    shown.status.busy = busy_q || set.command_strobe;
    shown.done.tag = finished;
    {shown.cycles_high, shown.cycles_low} = cycles_q;
  end
  assign irq_o = (set.done.tag & set.interrupt_enable.tag) != '0;

  // ---------------------------------------------------------------- messages
  logic packed_valid, packed_ready, packed_last, in_valid, in_ready;
  logic [15:0] packed_keep;
  beat_t packed_beat, in_beat;
  assign packed_beat.bytes = axis_pkg::bytes_of(packed_keep);

  axis_slice #(
      .BITS(149),
      .WIPE(1)
  ) u_in_slice (
      .clk_i,
      .rst_ni (kept_n),
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser, s_axis_tdata}),
      .valid_o(packed_valid),
      .ready_i(packed_ready),
      .data_o ({packed_keep, packed_last, packed_beat.tag, packed_beat.ending, packed_beat.data})
  );

  sha3_packed_in u_packed (
      .clk_i,
      .rst_ni         (kept_n),
      .command_i      (command_taken),
      .command_tag_i  (command.tag),
      .command_lanes_i(command.op == OpLoad ? 5'd25 : command.op == OpChain ? 5'(command.lanes) : command.rate),
      .valid_i        (packed_valid),
      .ready_o        (packed_ready),
      .beat_i         (packed_beat),
      .last_i         (packed_last),
      .valid_o        (in_valid),
      .ready_i        (in_ready),
      .beat_o         (in_beat)
  );

  // ---------------------------------------------------------------- unit and output
  logic out_valid, out_ready;
  out_t out_beat;

  sha3_unit #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i(busy_q),
      .cmd_ready_o(command_ready),
      .cmd_i      (command),
      .in_valid_i (in_valid),
      .in_ready_o (in_ready),
      .in_i       (in_beat),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_o      (out_beat)
  );

  axis_slice #(
      .BITS(147),
      .WIPE(1)
  ) u_out_slice (
      .clk_i,
      .rst_ni (kept_n),
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i ({axis_pkg::keep_of(out_beat.bytes), out_beat.last, out_beat.tag, out_beat.data}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tdata})
  );

  assign finished = m_axis_tvalid && m_axis_tready && m_axis_tlast ? 4'b0001 << m_axis_tid : 4'b0000;

endmodule

`default_nettype wire
