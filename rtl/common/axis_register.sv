// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One register in a stream: a beat is taken as the one before leaves. Valid and data come from the
// register, ready passes through. A reset clears the data too.
`default_nettype none

module axis_register #(
    parameter int unsigned BITS = 8
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    output logic ready_o,
    input wire [BITS-1:0] data_i,
    output logic valid_o,
    input wire ready_i,
    output logic [BITS-1:0] data_o
);

  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i) begin
    if (ready_o) data_o <= data_i;
    if (!rst_ni) data_o <= '0;
    valid_o <= rst_ni && (valid_i || !ready_o);
  end

endmodule

`default_nettype wire
