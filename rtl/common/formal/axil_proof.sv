// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// `axil_front` keeps every rule of `axil_rules`, for any manager and any register block. It holds
// one address and one word at most, and beside them an answer.
`default_nettype none

module axil_proof #(
    parameter int unsigned ADDRESS_BITS = 8
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [ADDRESS_BITS-1:0] s_axil_awaddr,
    input wire [2:0] s_axil_awprot,
    input wire s_axil_awvalid,
    input wire [31:0] s_axil_wdata,
    input wire [3:0] s_axil_wstrb,
    input wire s_axil_wvalid,
    input wire s_axil_bready,
    input wire [ADDRESS_BITS-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    input wire s_axil_rready,
    input wire wr_error_i,
    input wire [31:0] rd_data_i,
    input wire rd_error_i,
    output logic differs_o
);
  logic s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  logic [1:0] s_axil_bresp, s_axil_rresp;
  logic [31:0] s_axil_rdata;
  logic wr_valid_o;
  logic [ADDRESS_BITS-1:0] wr_addr_o, rd_addr_o;
  logic [31:0] wr_data_o;
  logic [ 3:0] wr_strb_o;
  axil_front #(.ADDRESS_BITS(ADDRESS_BITS)) u_front (.*);

  logic b_moves_o, r_moves_o, b_unasked_o, r_unasked_o, exclusive_o, asks_otherwise_o;
  logic [2:0] aw_left_o, w_left_o, ar_left_o;
  axil_rules #(.ADDRESS_BITS(ADDRESS_BITS)) u_rules (.*);
  wire  unused = &{wr_valid_o, wr_addr_o, rd_addr_o, wr_data_o, wr_strb_o, asks_otherwise_o};

  // Where the requests lie that are counted.
  logic counted;
  assign counted = aw_left_o == 3'(!s_axil_awready) + 3'(s_axil_bvalid) && w_left_o == 3'(!s_axil_wready) + 3'(s_axil_bvalid)
      && ar_left_o == 3'(s_axil_rvalid);
  assign differs_o = b_moves_o || r_moves_o || b_unasked_o || r_unasked_o || exclusive_o || !counted;
endmodule

`default_nettype wire
