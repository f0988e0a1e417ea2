// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The bus of a SHA-3 unit that forgets: registers, cutter and streams hold the same, whatever they
// held, once the unit has wiped itself (`wiped_unit.sv`). Two counters and a transfer on AXI4-Lite
// go on. No write waits there when the wiping begins, and none comes: it would be of the time
// behind it. It begins once: another beginning makes it longer. `flow/wiped.ys` compares two
// copies.
`default_nettype none

module bus_wiped_proof
  import sha3_regs_pkg::*;
#(
    parameter bit OF_OUTPUT = 0  // tells the two comparisons apart, and does nothing
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire [AddressBits-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    input wire s_axil_rready,
    input wire [127:0] s_axis_tdata,
    input wire [15:0] s_axis_tkeep,
    input wire s_axis_tlast,
    input wire [1:0] s_axis_tid,
    input wire [1:0] s_axis_tuser,
    input wire s_axis_tvalid,
    input wire m_axis_tready,
    output logic wiped_by_o
);

  logic begun_q;
  always_ff @(posedge clk_i) begun_q <= 1'b1;

  sha3_unit_axi u_axi (
      .clk_i,
      .rst_ni        (rst_ni || begun_q),
      .zeroize_i     (zeroize_i && !begun_q),
      .s_axil_awaddr ('0),
      .s_axil_awprot ('0),
      .s_axil_awvalid(1'b0),
      .s_axil_awready(),
      .s_axil_wdata  ('0),
      .s_axil_wstrb  ('0),
      .s_axil_wvalid (1'b0),
      .s_axil_wready (),
      .s_axil_bresp  (),
      .s_axil_bvalid (),
      .s_axil_bready (1'b1),
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready(),
      .s_axil_rdata  (),
      .s_axil_rresp  (),
      .s_axil_rvalid (),
      .s_axil_rready,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .s_axis_tid,
      .s_axis_tuser,
      .s_axis_tvalid,
      .s_axis_tready (),
      .m_axis_tdata  (),
      .m_axis_tkeep  (),
      .m_axis_tlast  (),
      .m_axis_tid    (),
      .m_axis_tvalid (),
      .m_axis_tready,
      .irq_o         ()
  );
  assign wiped_by_o = !begun_q && u_axi.u_unit.start && !(u_axi.u_front.aw_q && u_axi.u_front.w_q);
  wire unused = OF_OUTPUT;
endmodule

`default_nettype wire
