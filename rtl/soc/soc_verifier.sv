// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// `hbs_verify_axi` on the bus: its registers from address 0 on, a word of the stream at 80h, the
// last one at 84h. An access waits until it is done.
module soc_verifier
  import soc_pkg::*;
#(
    parameter bit XMSS = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire request_t request_i,
    output logic ready_o,
    output logic [31:0] read_o
);
  localparam int unsigned Bits = hbs_verify_regs_pkg::AddressBits;
  logic streams, asks, sent_q, bvalid, rvalid, stream_ready;
  assign streams = request_i.valid && request_i.write && request_i.address[7];
  assign asks = request_i.valid && !request_i.address[7];
  assign ready_o = request_i.address[7] ? stream_ready : request_i.write ? bvalid : rvalid;
  always_ff @(posedge clk_i) sent_q <= rst_ni && asks && !ready_o;

  logic awready, wready, arready, irq;
  logic [1:0] bresp, rresp;
  logic stack_valid, stack_ready, stack_write;
  logic [6:0] stack_address;
  logic [31:0] stack_data, stack_read;
  hbs_verify_axi #(
      .XMSS(XMSS)
  ) u_verifier (
      .clk_i,
      .rst_ni,
      .s_axil_awaddr  (request_i.address[Bits-1:0]),
      .s_axil_awprot  (3'b001),
      .s_axil_awvalid (asks && request_i.write && !sent_q),
      .s_axil_awready (awready),
      .s_axil_wdata   (request_i.data),
      .s_axil_wstrb   (request_i.enable),
      .s_axil_wvalid  (asks && request_i.write && !sent_q),
      .s_axil_wready  (wready),
      .s_axil_bresp   (bresp),
      .s_axil_bvalid  (bvalid),
      .s_axil_bready  (asks && request_i.write),
      .s_axil_araddr  (request_i.address[Bits-1:0]),
      .s_axil_arprot  (3'b001),
      .s_axil_arvalid (asks && !request_i.write && !sent_q),
      .s_axil_arready (arready),
      .s_axil_rdata   (read_o),
      .s_axil_rresp   (rresp),
      .s_axil_rvalid  (rvalid),
      .s_axil_rready  (asks && !request_i.write),
      .s_axis_tdata   (request_i.data),
      .s_axis_tlast   (request_i.address[2]),
      .s_axis_tvalid  (streams),
      .s_axis_tready  (stream_ready),
      .stack_valid_o  (stack_valid),
      .stack_ready_i  (stack_ready),
      .stack_write_o  (stack_write),
      .stack_address_o(stack_address),
      .stack_data_o   (stack_data),
      .stack_data_i   (stack_read),
      .irq_o          (irq)
  );
  if (XMSS) begin : g_stack
    soc_stack u_stack (
        .clk_i,
        .rst_ni,
        .valid_i  (stack_valid),
        .ready_o  (stack_ready),
        .write_i  (stack_write),
        .address_i(stack_address),
        .data_i   (stack_data),
        .data_o   (stack_read)
    );
  end else begin : g_none
    assign {stack_ready, stack_read} = '0;
    wire unused = &{stack_valid, stack_write, stack_address, stack_data};
  end
  wire unused = &{awready, wready, arready, irq, bresp, rresp, request_i.address[31:8]};
endmodule

`default_nettype wire
