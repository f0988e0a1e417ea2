// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AXI4-Lite slave of 32 bits in front of a register block that `cargo xtask hw registers` has
// written. AXI ports carry the names of the AXI specification, so that tools find the interface.
// An access that AxPROT forbids reads zero, writes nothing and answers SLVERR.
// One write and one read in two cycles; no output depends on an input of its own cycle. Unknown
// addresses answer SLVERR.
`default_nettype none

module axil_front #(
    parameter int unsigned ADDRESS_BITS = 8,
    // Refuse accesses that are not secure, and those that are not privileged.
    parameter bit ONLY_SECURE = 1,
    parameter bit ONLY_PRIVILEGED = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [ADDRESS_BITS-1:0] s_axil_awaddr,
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
    input wire [ADDRESS_BITS-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    output logic s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic s_axil_rvalid,
    input wire s_axil_rready,
    // To the register block.
    output logic wr_valid_o,
    output logic [ADDRESS_BITS-1:0] wr_addr_o,
    output logic [31:0] wr_data_o,
    output logic [3:0] wr_strb_o,
    input wire wr_error_i,
    output logic [ADDRESS_BITS-1:0] rd_addr_o,
    input wire [31:0] rd_data_i,
    input wire rd_error_i
);

  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlvErr = 2'b10;

  function automatic logic forbids(logic insecure, logic privileged);
    return (ONLY_SECURE && insecure) || (ONLY_PRIVILEGED && !privileged);
  endfunction

  // Address and data of a write come in any order; each is held until both are here.
  logic aw_q, w_q, forbidden_q, write;
  logic [ADDRESS_BITS-1:0] awaddr_q;
  logic [31:0] wdata_q;
  logic [3:0] wstrb_q;
  assign s_axil_awready = !aw_q;
  assign s_axil_wready = !w_q;
  assign write = aw_q && w_q && !s_axil_bvalid;
  assign wr_valid_o = write && !forbidden_q;
  assign wr_addr_o = {awaddr_q[ADDRESS_BITS-1:2], 2'b00};
  assign wr_data_o = wdata_q;
  assign wr_strb_o = wstrb_q;

  always_ff @(posedge clk_i) begin
    if (s_axil_awvalid && s_axil_awready) {awaddr_q, forbidden_q} <= {s_axil_awaddr, forbids(s_axil_awprot[1], s_axil_awprot[0])};
    if (s_axil_wvalid && s_axil_wready) {wdata_q, wstrb_q} <= {s_axil_wdata, s_axil_wstrb};
    aw_q <= rst_ni && (s_axil_awvalid || aw_q) && !write;
    w_q  <= rst_ni && (s_axil_wvalid || w_q) && !write;
    if (write) s_axil_bresp <= wr_error_i || forbidden_q ? SlvErr : Okay;
    s_axil_bvalid <= rst_ni && (write || (s_axil_bvalid && !s_axil_bready));
  end

  logic read, hidden;
  assign s_axil_arready = !s_axil_rvalid;
  assign read = s_axil_arvalid && s_axil_arready;
  assign hidden = forbids(s_axil_arprot[1], s_axil_arprot[0]);
  assign rd_addr_o = {s_axil_araddr[ADDRESS_BITS-1:2], 2'b00};

  always_ff @(posedge clk_i) begin
    if (read) begin
      s_axil_rdata <= hidden ? '0 : rd_data_i;
      s_axil_rresp <= rd_error_i || hidden ? SlvErr : Okay;
    end
    s_axil_rvalid <= rst_ni && (read || (s_axil_rvalid && !s_axil_rready));
  end

  wire unused = &{awaddr_q[1:0], s_axil_araddr[1:0], s_axil_awprot, s_axil_arprot};

endmodule

`default_nettype wire
