// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A register slice of a stream: everything that leaves comes from a register, ready too. One beat
// in each cycle, two held at most. With WIPE a reset clears the data too.
`default_nettype none

module axis_slice #(
    parameter int unsigned BITS = 8,
    parameter bit          WIPE = 0
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

  logic spare_q;  // a beat waits behind the one that is shown
  logic [BITS-1:0] spare_data_q;
  assign ready_o = !spare_q;

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) spare_data_q <= data_i;
    if (!valid_o || ready_i) data_o <= spare_q ? spare_data_q : data_i;
    if (WIPE && !rst_ni) {spare_data_q, data_o} <= '0;
    valid_o <= rst_ni && ((valid_o && !ready_i) || spare_q || (valid_i && ready_o));
    spare_q <= rst_ni && valid_o && !ready_i && (spare_q || valid_i);
  end

endmodule

`default_nettype wire
