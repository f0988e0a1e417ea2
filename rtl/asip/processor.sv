// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// cv32e40x with plain ports: RV32IMC, or with BITS = 1 Zba, Zbb and Zbs too; no interrupts, no
// debugger. It begins at BOOT. An access to either memory is granted when `*_ready_i` says so. It
// is answered in the next cycle; with LATE = 1 an instruction is in that of `fetched_valid_i`. An
// instruction that it does not know goes to a unit (CV-X-IF).
module processor
  import asip_pkg::*;
#(
    parameter int unsigned BOOT = 32'h0010_0000,
    parameter int unsigned BITS = 0,
    parameter int unsigned LATE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    // Instructions.
    output logic fetch_o,
    output logic [31:0] fetch_address_o,
    input wire fetch_ready_i,
    input wire fetched_valid_i,
    input wire [31:0] fetched_i,
    // Data.
    output logic data_o,
    output logic data_write_o,
    output logic [31:0] data_address_o,
    output logic [3:0] data_enable_o,
    output logic [31:0] data_written_o,
    input wire data_ready_i,
    input wire [31:0] data_read_i,
    // The unit.
    output issue_t issue_o,
    input wire issue_answer_t issue_answer_i,
    output commit_t commit_o,
    input wire result_t result_i,
    output logic result_ready_o
);
  localparam cv32e40x_pkg::b_ext_e Bits = BITS == 1 ? cv32e40x_pkg::ZBA_ZBB_ZBS : cv32e40x_pkg::B_NONE;

  // Answers come a cycle after the grant.
  logic fetched, reading_q;
  always_ff @(posedge clk_i) reading_q <= rst_ni && data_o && data_ready_i;
  if (LATE == 1) begin : gen_late
    assign fetched = fetched_valid_i;
  end else begin : gen_next
    logic fetching_q;
    always_ff @(posedge clk_i) fetching_q <= rst_ni && fetch_o && fetch_ready_i;
    assign fetched = fetching_q;
    wire unused = fetched_valid_i;
  end

  if_xif #() xif ();
  assign xif.compressed_ready = 1'b1;
  assign xif.compressed_resp = '0;
  assign issue_o = '{
          valid: xif.issue_valid,
          instruction: xif.issue_req.instr,
          id: xif.issue_req.id,
          rs1: xif.issue_req.rs[0],
          rs2: xif.issue_req.rs[1]
      };
  assign xif.issue_ready = issue_answer_i.ready;
  always_comb begin
    xif.issue_resp = '0;
    xif.issue_resp.accept = issue_answer_i.accept;
    xif.issue_resp.writeback = issue_answer_i.writeback;
  end
  assign commit_o = '{valid: xif.commit_valid, kill: xif.commit.commit_kill, id: xif.commit.id};
  assign xif.mem_valid = 1'b0;
  assign xif.mem_req = '0;
  assign xif.result_valid = result_i.valid;
  always_comb begin
    xif.result = '0;
    xif.result.id = result_i.id;
    xif.result.data = result_i.data;
    xif.result.rd = result_i.rd;
    xif.result.we = result_i.write;
  end
  assign result_ready_o = xif.result_ready;

  /* verilator lint_off PINCONNECTEMPTY */  // memory types, debugger and sleep are not used
  cv32e40x_core #(
      .B_EXT(Bits),
      .DBG_NUM_TRIGGERS(0),
      .X_EXT(1'b1)
  ) u_core (
      .clk_i,
      .rst_ni,
      .scan_cg_en_i(1'b0),
      .boot_addr_i(BOOT),
      .dm_exception_addr_i('0),
      .dm_halt_addr_i('0),
      .mhartid_i('0),
      .mimpid_patch_i('0),
      .mtvec_addr_i(BOOT),
      .instr_req_o(fetch_o),
      .instr_gnt_i(fetch_ready_i),
      .instr_rvalid_i(fetched),
      .instr_addr_o(fetch_address_o),
      .instr_memtype_o(),
      .instr_prot_o(),
      .instr_dbg_o(),
      .instr_rdata_i(fetched_i),
      .instr_err_i(1'b0),
      .data_req_o(data_o),
      .data_gnt_i(data_ready_i),
      .data_rvalid_i(reading_q),
      .data_addr_o(data_address_o),
      .data_be_o(data_enable_o),
      .data_we_o(data_write_o),
      .data_wdata_o(data_written_o),
      .data_memtype_o(),
      .data_prot_o(),
      .data_dbg_o(),
      .data_atop_o(),
      .data_rdata_i(data_read_i),
      .data_err_i(1'b0),
      .data_exokay_i(1'b0),
      .mcycle_o(),
      .xif_compressed_if(xif),
      .xif_issue_if(xif),
      .xif_commit_if(xif),
      .xif_mem_if(xif),
      .xif_mem_result_if(xif),
      .xif_result_if(xif),
      .irq_i('0),
      .wu_wfe_i(1'b0),
      .clic_irq_i(1'b0),
      .clic_irq_id_i('0),
      .clic_irq_level_i('0),
      .clic_irq_priv_i('0),
      .clic_irq_shv_i(1'b0),
      .fencei_flush_req_o(),
      .fencei_flush_ack_i(1'b1),
      .debug_req_i(1'b0),
      .debug_havereset_o(),
      .debug_running_o(),
      .debug_halted_o(),
      .fetch_enable_i(1'b1),
      .core_sleep_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule

`default_nettype wire
