// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Shows the bench which instruction leaves the processor, and of which kind it is.
module asip_trace (
    input wire retires_i,
    input wire loads_or_stores_i,
    input wire of_unit_i,
    input wire [31:0] address_i
);
  /* verilator lint_off UNUSEDSIGNAL */
  logic retires  /*verilator public_flat_rd*/;
  logic loads_or_stores  /*verilator public_flat_rd*/;
  logic of_unit  /*verilator public_flat_rd*/;
  logic [31:0] address  /*verilator public_flat_rd*/;
  /* verilator lint_on UNUSEDSIGNAL */
  assign {retires, loads_or_stores, of_unit, address} = {retires_i, loads_or_stores_i, of_unit_i, address_i};
endmodule
bind cv32e40x_core asip_trace u_trace (
    .retires_i(wb_valid),
    .loads_or_stores_i(ex_wb_pipe.lsu_en),
    .of_unit_i(ex_wb_pipe.xif_en),
    .address_i(ex_wb_pipe.pc)
);

`default_nettype wire
