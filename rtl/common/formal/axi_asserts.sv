// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Both sides keep the rules of AXI4-Lite, on every bus with an `axil_front`; the benches fail where
// one is broken.
`default_nettype none

module axil_asserts #(
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
    input wire s_axil_rready
);
  logic b_moves_o, r_moves_o, b_unasked_o, r_unasked_o, exclusive_o, asks_otherwise_o;
  logic [2:0] aw_left_o, w_left_o, ar_left_o;
  axil_rules #(.ADDRESS_BITS(ADDRESS_BITS)) u_rules (.*);
  wire unused = &{aw_left_o, w_left_o, ar_left_o};

  a_b_stays :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !b_moves_o)
  else $error("BVALID falls, or BRESP changes");
  a_r_stays :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !r_moves_o)
  else $error("RVALID falls, or RDATA or RRESP changes");
  a_b_asked :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !b_unasked_o)
  else $error("an answer to no write");
  a_r_asked :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !r_unasked_o)
  else $error("an answer to no read");
  a_exclusive :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !exclusive_o)
  else $error("EXOKAY");
  a_manager :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !asks_otherwise_o)
  else $error("the bench takes back or changes a request");
endmodule
bind axil_front axil_asserts #(.ADDRESS_BITS(ADDRESS_BITS)) u_asserts (.*);

// A stream keeps its rule. A wrapper binds this to each of its streams.
module axis_asserts #(
    parameter int unsigned BITS = 8,
    parameter bit OURS = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire ready_i,
    input wire [BITS-1:0] data_i
);
  logic moves;
  axis_rules #(
      .BITS(BITS),
      .OURS(OURS)
  ) u_rules (
      .moves_o(moves),
      .*
  );
  a_stays :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !moves)
  else $error("TVALID falls, or a beat changes before it is taken");
endmodule

`default_nettype wire
