// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// A result of Keccak's slots does not wait: the one before it in its lane has been taken.
module chain_unit_asserts #(
    parameter int unsigned LANES = 1,
    parameter int unsigned SHAKE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [LANES-1:0] valid,
    input wire [LANES-1:0] full
);
  a_result :
  assert property (@(posedge clk_i) disable iff (!rst_ni) SHAKE == 0 || (valid & full) == '0)
  else $error("a result that is not taken");
endmodule
bind chain_unit_lanes chain_unit_asserts #(
    .LANES(LANES),
    .SHAKE(SHAKE)
) u_asserts (.*);

`default_nettype wire
