// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// A state becomes beats of output: a register of 1,600 bits that shifts by 128.
`default_nettype none

module sha3_output
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,  // the register takes the state, for that is wiped too
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
  logic some_q, ends_q;  // there is one, there are 16 at most
  logic last_q, leaves, loads;
  tag_t tag_q;

  assign valid_o = some_q && !wipe_i;
  assign leaves  = valid_o && ready_i;
  assign ready_o = !some_q || (ends_q && ready_i);
  assign loads   = (valid_i && ready_o) || wipe_i;

  always_ff @(posedge clk_i) begin
    state_q <= (state_i & {1600{loads}}) | (1600'(state_q >> 128) & {1600{leaves && !loads}}) | (state_q & {1600{!leaves && !loads}});
    if (leaves) begin
      left_q <= left_q - 8'd16;
      some_q <= !ends_q;
      ends_q <= left_q <= 8'd32;
    end
    if (loads) begin
      {left_q, last_q, tag_q} <= {bytes_i, last_i, tag_i};
      some_q <= 1'b1;
      ends_q <= bytes_i <= 8'd16;
    end
    if (wipe_i) {left_q, some_q, ends_q, last_q, tag_q} <= '0;
  end

  logic [4:0] bytes;
  assign bytes = ends_q ? left_q[4:0] : 5'd16;
  assign beat_o.tag = tag_q;
  assign beat_o.last = last_q && ends_q;
  assign beat_o.bytes = bytes;
  always_comb for (int unsigned i = 0; i < 16; i++) beat_o.data[8*i+:8] = 5'(i) < bytes ? state_q[8*i+:8] : 8'h00;

endmodule

`default_nettype wire
