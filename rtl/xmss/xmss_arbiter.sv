// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// One of COUNT requests, in turn from the one served last.
module xmss_arbiter #(
    parameter  int unsigned COUNT = 4,
    localparam int unsigned Width = COUNT > 1 ? $clog2(COUNT) : 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [COUNT-1:0] request_i,
    input wire taken_i,
    output logic valid_o,
    output logic [Width-1:0] chosen_o
);
  logic [COUNT-1:0] behind_q, later;  // behind the last one
  assign later   = request_i & behind_q;

  assign valid_o = |request_i;
  always_comb begin
    chosen_o = '0;
    for (int i = COUNT - 1; i >= 0; i--) if (request_i[i]) chosen_o = Width'(i);
    for (int i = COUNT - 1; i >= 0; i--) if (later[i]) chosen_o = Width'(i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) behind_q <= '0;
    else if (taken_i) behind_q <= ~((COUNT'(2) << chosen_o) - COUNT'(1));
  end
endmodule

`default_nettype wire
