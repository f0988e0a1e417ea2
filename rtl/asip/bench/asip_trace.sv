// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Shows the bench which instruction leaves the processor, of which kind it is, and the register
// that it writes; and which store is granted.
module asip_trace (
    input wire retires_i,
    input wire is_last_i,
    input wire loads_or_stores_i,
    input wire of_unit_i,
    input wire [31:0] address_i,
    input wire writes_i,
    input wire [4:0] written_i,
    input wire [31:0] value_i,
    input wire stores_i,
    input wire [31:0] stored_at_i,
    input wire [3:0] stored_enable_i,
    input wire [31:0] stored_i
);
  /* verilator lint_off UNUSEDSIGNAL */
  logic retires  /*verilator public_flat_rd*/;
  logic is_last  /*verilator public_flat_rd*/;  // an access in two parts retires twice
  logic loads_or_stores  /*verilator public_flat_rd*/;
  logic of_unit  /*verilator public_flat_rd*/;
  logic [31:0] address  /*verilator public_flat_rd*/;
  logic writes  /*verilator public_flat_rd*/;
  logic [4:0] written  /*verilator public_flat_rd*/;
  logic [31:0] value  /*verilator public_flat_rd*/;
  logic stores  /*verilator public_flat_rd*/;
  logic [31:0] stored_at  /*verilator public_flat_rd*/;
  logic [3:0] stored_enable  /*verilator public_flat_rd*/;
  logic [31:0] stored  /*verilator public_flat_rd*/;
  /* verilator lint_on UNUSEDSIGNAL */
  assign {retires, is_last, loads_or_stores, of_unit} = {retires_i, is_last_i, loads_or_stores_i, of_unit_i};
  assign {address, writes, written, value} = {address_i, writes_i, written_i, value_i};
  assign {stores, stored_at, stored_enable, stored} = {stores_i, stored_at_i, stored_enable_i, stored_i};
endmodule
bind cv32e40x_core asip_trace u_trace (
    .retires_i(wb_valid),
    .is_last_i(ex_wb_pipe.last_op || ex_wb_pipe.abort_op),
    .loads_or_stores_i(ex_wb_pipe.lsu_en),
    .of_unit_i(ex_wb_pipe.xif_en),
    .address_i(ex_wb_pipe.pc),
    .writes_i(rf_we_wb),
    .written_i(rf_waddr_wb),
    .value_i(rf_wdata_wb),
    .stores_i(load_store_unit_i.ctrl_update && data_we_o),  // requests are repeated
    .stored_at_i(data_addr_o),
    .stored_enable_i(data_be_o),
    .stored_i(data_wdata_o)
);

`default_nettype wire
