// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Rules of AXI4-Lite (ARM IHI 0022), watched on the ports of a subordinate: what is shown stays
// until it is taken, each answer follows its own request, and nothing is shown after a reset.
`default_nettype none

module axil_rules #(
    parameter int unsigned ADDRESS_BITS = 8
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [ADDRESS_BITS-1:0] s_axil_awaddr,
    input wire [2:0] s_axil_awprot,
    input wire s_axil_awvalid,
    input wire s_axil_awready,
    input wire [31:0] s_axil_wdata,
    input wire [3:0] s_axil_wstrb,
    input wire s_axil_wvalid,
    input wire s_axil_wready,
    input wire [1:0] s_axil_bresp,
    input wire s_axil_bvalid,
    input wire s_axil_bready,
    input wire [ADDRESS_BITS-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    input wire s_axil_arready,
    input wire [31:0] s_axil_rdata,
    input wire [1:0] s_axil_rresp,
    input wire s_axil_rvalid,
    input wire s_axil_rready,
    // Rules that the subordinate breaks in this cycle.
    output logic b_moves_o,
    output logic r_moves_o,
    output logic b_unasked_o,
    output logic r_unasked_o,
    output logic exclusive_o,
    // The manager takes back or changes a request.
    output logic asks_otherwise_o,
    // Requests that were taken and not answered, of each channel.
    output logic [2:0] aw_left_o,
    output logic [2:0] w_left_o,
    output logic [2:0] ar_left_o
);
  // EXOKAY, which AXI4-Lite does not have.
  localparam logic [1:0] ExOkay = 2'b01;

  axis_rules #(
      .BITS(2)
  ) u_b (
      .clk_i,
      .rst_ni,
      .valid_i(s_axil_bvalid),
      .ready_i(s_axil_bready),
      .data_i (s_axil_bresp),
      .moves_o(b_moves_o)
  );
  axis_rules #(
      .BITS(34)
  ) u_r (
      .clk_i,
      .rst_ni,
      .valid_i(s_axil_rvalid),
      .ready_i(s_axil_rready),
      .data_i ({s_axil_rdata, s_axil_rresp}),
      .moves_o(r_moves_o)
  );

  logic aw_moves, w_moves, ar_moves;
  axis_rules #(
      .BITS(ADDRESS_BITS + 3),
      .OURS(0)
  ) u_aw (
      .clk_i,
      .rst_ni,
      .valid_i(s_axil_awvalid),
      .ready_i(s_axil_awready),
      .data_i ({s_axil_awaddr, s_axil_awprot}),
      .moves_o(aw_moves)
  );
  axis_rules #(
      .BITS(36),
      .OURS(0)
  ) u_w (
      .clk_i,
      .rst_ni,
      .valid_i(s_axil_wvalid),
      .ready_i(s_axil_wready),
      .data_i ({s_axil_wdata, s_axil_wstrb}),
      .moves_o(w_moves)
  );
  axis_rules #(
      .BITS(ADDRESS_BITS + 3),
      .OURS(0)
  ) u_ar (
      .clk_i,
      .rst_ni,
      .valid_i(s_axil_arvalid),
      .ready_i(s_axil_arready),
      .data_i ({s_axil_araddr, s_axil_arprot}),
      .moves_o(ar_moves)
  );
  assign asks_otherwise_o = aw_moves || w_moves || ar_moves;

  logic b, r;
  assign b = s_axil_bvalid && s_axil_bready;
  assign r = s_axil_rvalid && s_axil_rready;
  always_ff @(posedge clk_i) begin
    aw_left_o <= rst_ni ? aw_left_o + 3'(s_axil_awvalid && s_axil_awready) - 3'(b) : '0;
    w_left_o  <= rst_ni ? w_left_o + 3'(s_axil_wvalid && s_axil_wready) - 3'(b) : '0;
    ar_left_o <= rst_ni ? ar_left_o + 3'(s_axil_arvalid && s_axil_arready) - 3'(r) : '0;
  end
  assign b_unasked_o = s_axil_bvalid && (aw_left_o == '0 || w_left_o == '0);
  assign r_unasked_o = s_axil_rvalid && ar_left_o == '0;
  assign exclusive_o = (s_axil_bvalid && s_axil_bresp == ExOkay) || (s_axil_rvalid && s_axil_rresp == ExOkay);

endmodule

`default_nettype wire
