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
    parameter int unsigned INNER = 2,
    parameter int unsigned OUTREG = 1,
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

  // All but the bus forgets a cycle after the unit.
  logic kept_n, command_taken, clears, clears_q;
  assign kept_n = rst_ni && !zeroize_i && !clears_q;

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
  logic [63:0] cycles;
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
    clears_q <= rst_ni && !zeroize_i && clears;
    busy_q   <= kept_n && (set.command_strobe || (busy_q && !command_ready));
  end

  cycle_counter u_cycles (
      .clk_i,
      .clear_i(!rst_ni || set.control.clear),
      .count_o(cycles)
  );

  always_comb begin
    shown = '0;
    shown.features = '{unroll: 4'(UNROLL), inner: 2'(INNER), outreg: OUTREG != 0, tags: 4'(Tags)};
    shown.status.busy = busy_q || set.command_strobe;
    shown.done.tag = finished;
    {shown.cycles_high, shown.cycles_low} = cycles;
  end
  assign irq_o = (set.done.tag & set.interrupt_enable.tag) != '0;

  // ---------------------------------------------------------------- messages
  // A register before the cutter, a slice of two behind it.
  logic came_valid, came_ready, came_last, cut_valid, cut_ready, in_valid, in_ready;
  beat_t sent, came, cut, in_beat;
  assign sent = '{tag: s_axis_tid, ending: end_e'(s_axis_tuser), bytes: axis_pkg::bytes_of(s_axis_tkeep), data: s_axis_tdata};

  axis_register #(
      .BITS($bits(beat_t) + 1)
  ) u_came (
      .clk_i,
      .rst_ni (kept_n),
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, sent}),
      .valid_o(came_valid),
      .ready_i(came_ready),
      .data_o ({came_last, came})
  );

  sha3_packed_in u_packed (
      .clk_i,
      .rst_ni         (kept_n),
      .command_i      (command_taken),
      .command_tag_i  (command.tag),
      .command_lanes_i(command.op == OpLoad ? 5'd25 : command.op == OpChain ? 5'(command.lanes) : command.rate),
      .valid_i        (came_valid),
      .ready_o        (came_ready),
      .beat_i         (came),
      .last_i         (came_last),
      .valid_o        (cut_valid),
      .ready_i        (cut_ready),
      .beat_o         (cut)
  );

  axis_slice #(
      .BITS($bits(beat_t)),
      .WIPE(1)
  ) u_cut (
      .clk_i,
      .rst_ni (kept_n),
      .valid_i(cut_valid),
      .ready_o(cut_ready),
      .data_i (cut),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o (in_beat)
  );

  // ---------------------------------------------------------------- unit and output
  logic out_valid, out_ready;
  logic [4:0] out_bytes;
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
      .BITS(136),
      .WIPE(1)
  ) u_out_slice (
      .clk_i,
      .rst_ni (kept_n),
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i ({out_beat.bytes, out_beat.last, out_beat.tag, out_beat.data}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({out_bytes, m_axis_tlast, m_axis_tid, m_axis_tdata})
  );

  assign m_axis_tkeep = axis_pkg::keep_of(out_bytes);

  assign finished = kept_n && m_axis_tvalid && m_axis_tready && m_axis_tlast ? 4'b0001 << m_axis_tid : 4'b0000;

endmodule

`default_nettype wire
