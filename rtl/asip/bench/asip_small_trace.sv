// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Shows the bench what asip_trace shows, of picorv32. An instruction is through when the next one
// begins; it has written its register by then. `waited` is its cycles in which it waits for the
// unit.
module asip_small_trace (
    input wire clk_i,
    input wire rst_ni,
    input wire ends_i,
    input wire [31:0] address_i,
    input wire writes_i,
    input wire [4:0] written_i,
    input wire [31:0] value_i,
    input wire asks_unit_i,
    input wire answered_i,
    input wire accesses_i,
    input wire [31:0] stored_at_i,
    input wire [3:0] stored_enable_i,
    input wire [31:0] stored_i
);
  /* verilator lint_off UNUSEDSIGNAL */
  logic retires  /*verilator public_flat_rd*/;
  logic is_last  /*verilator public_flat_rd*/;
  logic loads_or_stores  /*verilator public_flat_rd*/;
  logic of_unit  /*verilator public_flat_rd*/;
  logic [31:0] waited  /*verilator public_flat_rd*/;
  logic [31:0] address  /*verilator public_flat_rd*/;
  logic writes  /*verilator public_flat_rd*/;
  logic [4:0] written  /*verilator public_flat_rd*/;
  logic [31:0] value  /*verilator public_flat_rd*/;
  logic stores  /*verilator public_flat_rd*/;
  logic [31:0] stored_at  /*verilator public_flat_rd*/;
  logic [3:0] stored_enable  /*verilator public_flat_rd*/;
  logic [31:0] stored  /*verilator public_flat_rd*/;
  /* verilator lint_on UNUSEDSIGNAL */

  logic wrote_q, accessed_q, asked_q;
  logic [ 4:0] written_q;
  logic [31:0] value_q;
  always_ff @(posedge clk_i) begin
    if (writes_i) {written_q, value_q} <= {written_i, value_i};
    wrote_q <= rst_ni && !ends_i && (wrote_q || writes_i);
    accessed_q <= rst_ni && !ends_i && (accessed_q || accesses_i);
    asked_q <= rst_ni && !ends_i && (asked_q || asks_unit_i);
    waited <= rst_ni && !ends_i ? waited + 32'(asks_unit_i && !answered_i) : '0;
  end
  assign {retires, is_last, of_unit, address} = {ends_i, 1'b1, asked_q, address_i};
  assign loads_or_stores = accessed_q;
  assign writes = writes_i || wrote_q;
  assign {written, value} = writes_i ? {written_i, value_i} : {written_q, value_q};
  assign stores = accesses_i && stored_enable_i != '0;
  assign {stored_at, stored_enable, stored} = {stored_at_i, stored_enable_i, stored_i};
endmodule
bind picorv32 asip_small_trace u_trace (
    .clk_i(clk),
    .rst_ni(resetn),
    .ends_i(launch_next_insn && dbg_valid_insn),
    .address_i(dbg_insn_addr),
    .writes_i(cpuregs_write && latched_rd != 0),
    .written_i(latched_rd),
    .value_i(cpuregs_wrdata),
    .asks_unit_i(pcpi_valid && pcpi_wait),
    .answered_i(pcpi_ready),
    .accesses_i(mem_valid && mem_ready && !mem_instr),
    .stored_at_i(mem_addr),
    .stored_enable_i(mem_wstrb),
    .stored_i(mem_wdata)
);

`default_nettype wire
