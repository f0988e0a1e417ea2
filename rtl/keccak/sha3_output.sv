// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// A state becomes beats of output: a register of 1,600 bits that shifts by 128.
`default_nettype none

module sha3_output
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    // A state with so many bytes of output in it; taken in the cycle of ready_o.
    input wire valid_i,
    output logic ready_o,
    input wire tag_t tag_i,
    input wire last_i,
    input wire [7:0] bytes_i,
    input wire [1599:0] state_i,
    // Beats.
    output logic valid_o,
    input wire ready_i,
    output out_t beat_o
);

  logic [1599:0] state_q;
  logic [7:0] left_q;  // bytes still in the register
  logic last_q, leaves;
  tag_t tag_q;

  assign valid_o = left_q != 8'd0;
  assign leaves  = valid_o && ready_i;
  assign ready_o = !valid_o || (leaves && left_q <= 8'd16);

  always_ff @(posedge clk_i) begin
    if (leaves) begin
      state_q <= {128'd0, state_q[1599:128]};
      left_q  <= left_q > 8'd16 ? left_q - 8'd16 : 8'd0;
    end
    if (valid_i && ready_o) begin
      state_q <= state_i;
      left_q  <= bytes_i;
      last_q  <= last_i;
      tag_q   <= tag_i;
    end
    if (!rst_ni) left_q <= '0;
  end

  logic [4:0] bytes;
  assign bytes = left_q > 8'd16 ? 5'd16 : left_q[4:0];
  assign beat_o.tag = tag_q;
  assign beat_o.last = last_q && left_q <= 8'd16;
  assign beat_o.bytes = bytes;
  always_comb for (int unsigned i = 0; i < 16; i++) beat_o.data[8*i+:8] = 5'(i) < bytes ? state_q[8*i+:8] : 8'h00;

endmodule

`default_nettype wire
