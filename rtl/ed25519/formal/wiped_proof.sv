// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A whole core on its bus that forgets: once it has wiped itself, every register is the same
// whatever it held, but those of the bus itself, so nothing of a key, a message or a digest is
// left. `flow/wiped.ys` makes two copies whose registers hold anything, wipes both, and compares
// them. Multiplier, register file, microcode and the comb's table are those of this folder, smaller
// and each proven apart or without registers. `wipes_proof` shows when a core wipes itself, and for
// how long.
`default_nettype none

module wiped_proof
  import ed25519_axi_regs_pkg::*;
#(
    parameter bit FAST = 1'b1,
    parameter bit HALF_SIZE = 1'b1,
    parameter int unsigned MUL_LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire [AddressBits-1:0] s_axil_awaddr,
    input wire [2:0] s_axil_awprot,
    input wire s_axil_awvalid,
    input wire [31:0] s_axil_wdata,
    input wire [3:0] s_axil_wstrb,
    input wire s_axil_wvalid,
    input wire s_axil_bready,
    input wire [AddressBits-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    input wire s_axil_rready,
    input wire [63:0] s_axis_key_tdata,
    input wire s_axis_key_tvalid,
    input wire [63:0] s_axis_tdata,
    input wire [7:0] s_axis_tkeep,
    input wire s_axis_tlast,
    input wire s_axis_tvalid,
    input wire m_axis_tready,
    output logic wiped_by_o
);
  ed25519_axi #(
      .FAST(FAST),
      .HALF_SIZE(HALF_SIZE),
      .MUL_LATENCY(MUL_LATENCY)
  ) u_axi (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_rready,
      .s_axis_key_tdata,
      .s_axis_key_tvalid,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .s_axis_tvalid,
      .m_axis_tready,
      .s_axil_awready(),
      .s_axil_wready(),
      .s_axil_bresp(),
      .s_axil_bvalid(),
      .s_axil_arready(),
      .s_axil_rdata(),
      .s_axil_rresp(),
      .s_axil_rvalid(),
      .s_axis_key_tready(),
      .s_axis_tready(),
      .m_axis_tdata(),
      .m_axis_tkeep(),
      .m_axis_tlast(),
      .m_axis_tvalid(),
      .irq_o()
  );
  assign wiped_by_o = u_axi.wiping;
endmodule

`default_nettype wire
