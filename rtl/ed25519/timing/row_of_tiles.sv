// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What lies between the registers of the factors and the rows of the tree, one row of tiles of it: seventeen bits of a
// factor, doubled or not, into fifteen tiles, with registers at both ends. The other rows are the same.
`default_nettype none

module row_of_tiles #(
    // Which port of the tiles the common bits go to.
    parameter bit SWAP = 1'b0
) (
    input wire clk_i,
    input wire twice_i,
    input wire [17:0] common_i,
    input wire [14:0][16:0] other_i,
    output logic [14:0][33:0] products_o
);
  logic twice_q;
  logic [16:0] common;
  logic [17:0] common_q;
  logic [14:0][16:0] other_q;
  logic [14:0][33:0] products;

  assign common = twice_q ? common_q[16:0] : common_q[17:1];
  for (genvar i = 0; i < 15; i++) begin : gen_tile
    mul25519_tile u_tile (
        .a_i(SWAP ? common : other_q[i]),
        .b_i(SWAP ? other_q[i] : common),
        .p_o(products[i])
    );
  end

  always_ff @(posedge clk_i) begin
    twice_q <= twice_i;
    common_q <= common_i;
    other_q <= other_i;
    products_o <= products;
  end
endmodule
