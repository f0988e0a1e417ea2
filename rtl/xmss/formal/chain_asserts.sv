// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A result is taken within half a block, as the head of chain_core asks. One that waits until the
// next block ends is lost.
module chain_asserts #(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire result_valid_o,
    input wire result_ready_i
);
  logic [5:0] waits_q;
  always_ff @(posedge clk_i) waits_q <= rst_ni && result_valid_o && !result_ready_i ? waits_q + 6'd1 : '0;
  a_result :
  assert property (@(posedge clk_i) disable iff (!rst_ni) waits_q <= 6'(32 / UNROLL))
  else $error("a result that is not taken");
endmodule
bind chain_core chain_asserts #(.UNROLL(UNROLL)) u_asserts (.*);

`default_nettype wire
