// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The rule of every channel of AXI (ARM IHI 0022) and of AXI-Stream (ARM IHI 0051): what is shown
// stays as it is until it is taken. Who is reset with the module shows nothing in the cycle after.
`default_nettype none

module axis_rules #(
    parameter int unsigned BITS = 8,
    // The side that shows is reset with the module.
    parameter bit OURS = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire ready_i,
    input wire [BITS-1:0] data_i,
    output logic moves_o
);
  logic reset_q, waits_q;
  logic [BITS-1:0] data_q;
  always_ff @(posedge clk_i) begin
    reset_q <= !rst_ni;
    waits_q <= rst_ni && valid_i && !ready_i;
    data_q  <= data_i;
  end
  assign moves_o = (waits_q && !(valid_i && data_i == data_q)) || (OURS && reset_q && valid_i);
endmodule

`default_nettype wire
