// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// xmss_engine on a bus: commands through AXI4-Lite registers (registers.toml), what belongs to them
// as AXI-Streams of 64 bits. Secret keys have a stream of their own, from which nothing but
// `load_key` takes words; no other words are taken while it runs. A stream has whole words, TLAST
// with the last word of a command; TID of the output is the number of the value, all ones the
// randomizer.
//
// One command may wait behind the one that runs, so that the next index is prepared as soon as a
// signature is out. The streams have no registers here: those of the engine's own parts are cleared
// with its secrets.
`default_nettype none

module xmss_engine_axi
  import xmss_regs_pkg::*;
#(
    parameter int unsigned CORES           = 4,
    parameter int unsigned UNROLL          = 1,
    parameter bit          SHAKE           = 0,
    parameter bit          NARROW          = 0,
    // Registers refuse accesses that are not secure, and those that are not privileged.
    parameter bit          ONLY_SECURE     = 1,
    parameter bit          ONLY_PRIVILEGED = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,  // forgets keys and commands, as a reset does
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
    input wire s_axis_key_tlast,
    input wire s_axis_key_tvalid,
    output logic s_axis_key_tready,
    input wire [63:0] s_axis_tdata,
    input wire s_axis_tlast,
    input wire s_axis_tvalid,
    output logic s_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [(NARROW ? 8 : 6):0] m_axis_tid,
    output logic m_axis_tlast,
    output logic m_axis_tvalid,
    input wire m_axis_tready,
    output logic irq_o
);
  // The register map and the engine must name the same commands and answers.
  if (CommandOpLoadKey != xmss_pkg::CmdLoadKey || CommandOpLoadPublic != xmss_pkg::CmdLoadPublic || CommandOpPrepare != xmss_pkg::CmdPrepare ||
      CommandOpSign != xmss_pkg::CmdSign || CommandOpVerify != xmss_pkg::CmdVerify || CommandOpLeaf != xmss_pkg::CmdLeaf || CommandOpClear != xmss_pkg::CmdClear || CommandOpNode != xmss_pkg::CmdNode ||
      StatusResultOk != xmss_pkg::StatusOk || StatusResultBad != xmss_pkg::StatusBad || StatusResultRefused != xmss_pkg::StatusError ||
      StatusVerdictNone != xmss_control_pkg::VerdictNone || StatusVerdictGood != 8'(xmss_control_pkg::VerdictGood) ||
      StatusVerdictBad != 8'(xmss_control_pkg::VerdictBad) || StatusVerdictRefused != 8'(xmss_control_pkg::VerdictError)) begin : gen_names
    $error("registers.toml and xmss_pkg differ");
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

  xmss_regs u_regs (
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

  // ---------------------------------------------------------------- one command runs, one waits
  typedef struct packed {
    command_t command;
    logic [31:0] index;
    logic [59:0] length;
  } waiting_t;

  waiting_t waiting_q;
  logic full_q, running_q, ready, taken, answer;
  logic [1:0] result;
  logic [3:0] result_q, earlier_q;  // twice, once inverted: a bit that flips makes it refused
  // Codes differ in four bits at least. Nothing is good before the engine has said so.
  logic [7:0] verdict, verdict_q;
  logic [7:0] answers_q;
  logic [31:0] cycles, cycles_q;
  logic commands_n;
  assign taken = full_q && ready;
  assign commands_n = rst_ni && !zeroize_i;

  always_ff @(posedge clk_i) begin
    if (set.command_strobe && (!full_q || taken)) waiting_q <= '{set.command, set.index, {set.length_high.bytes, set.length.bytes}};
    full_q <= commands_n && (set.command_strobe || (full_q && !taken));
    running_q <= commands_n && (taken || (running_q && !answer));
    if (answer) begin
      {earlier_q, result_q} <= {result_q, ~result, result};
      answers_q <= answers_q + 8'd1;
      cycles_q <= cycles;
    end
    if (answer && verdict != StatusVerdictNone) verdict_q <= verdict;
    if (set.command_strobe) verdict_q <= StatusVerdictNone;
    if (!commands_n) begin
      {waiting_q, answers_q, cycles_q} <= '0;
      {earlier_q, result_q} <= {2{~StatusResultRefused, StatusResultRefused}};
      verdict_q <= StatusVerdictNone;
    end
  end

  function automatic logic [1:0] once(logic [3:0] twice);
    return twice[3:2] == ~twice[1:0] ? twice[1:0] : StatusResultRefused;
  endfunction

  always_comb begin
    shown = '0;
    shown.features = '{cores: 8'(CORES), unroll: 4'(UNROLL), shake: SHAKE, narrow: NARROW};
    shown.status.busy = set.command_strobe || full_q || running_q;
    shown.status.full = set.command_strobe || full_q;
    shown.status.result = once(result_q);
    shown.status.earlier = once(earlier_q);
    shown.status.answers = answers_q;
    shown.status.verdict = verdict_q;
    shown.done = '{answer: answer, lost: set.command_strobe && full_q && !taken};
    shown.cycles = cycles_q;
  end
  assign irq_o = (set.done & set.interrupt_enable) != '0;

  // ---------------------------------------------------------------- keys apart from data
  logic key_q, in_ready;
  always_ff @(posedge clk_i) key_q <= commands_n && (taken ? waiting_q.command.op == CommandOpLoadKey : key_q);
  assign s_axis_key_tready = in_ready && key_q;
  assign s_axis_tready = in_ready && !key_q;

  // ---------------------------------------------------------------- the engine
  xmss_engine #(
      .CORES (CORES),
      .UNROLL(UNROLL),
      .SHAKE (SHAKE),
      .NARROW(NARROW)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i  (full_q),
      .cmd_ready_o  (ready),
      .cmd_op_i     (waiting_q.command.op),
      .cmd_check_i  (waiting_q.command.check),
      .cmd_table_i  (waiting_q.command.chain_table),
      .cmd_idle_i   (waiting_q.command.idle),
      .cmd_mode_i   (waiting_q.command.mode),
      .cmd_octets_i (waiting_q.command.octets),
      .cmd_narrow_i (waiting_q.command.narrow),
      .cmd_height_i (waiting_q.command.height),
      .cmd_index_i  (waiting_q.index),
      .cmd_length_i (waiting_q.length),
      .in_valid_i   (key_q ? s_axis_key_tvalid : s_axis_tvalid),
      .in_ready_o   (in_ready),
      .in_data_i    (key_q ? s_axis_key_tdata : s_axis_tdata),
      .in_last_i    (key_q ? s_axis_key_tlast : s_axis_tlast),
      .out_valid_o  (m_axis_tvalid),
      .out_ready_i  (m_axis_tready),
      .out_data_o   (m_axis_tdata),
      .out_slot_o   (m_axis_tid),
      .out_last_o   (m_axis_tlast),
      .rsp_valid_o  (answer),
      .rsp_ready_i  (1'b1),
      .rsp_status_o (result),
      .rsp_verdict_o(verdict),
      .rsp_cycles_o (cycles)
  );
endmodule

`default_nettype wire
