// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Where XMSS is: chain and step, the node of the L-tree and how many stand at its level (RFC 8391,
// Algorithm 8 (ltree)), the level, and the nodes that lie on the stack.
module hbs_verify_xmss_place
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire [2:0] fives_i,
    input wire begin_i,  // a chain
    input wire [3:0] digit_i,  // where it begins
    input wire step_i,  // a step is done
    input wire up_i,  // to the level above
    input wire path_i,  // from the L-tree to the tree
    input wire push_i,  // the node is on the stack, and the next chain follows
    input wire pop_i,
    output logic [6:0] chain_o,
    output logic [3:0] step_o,
    output logic [4:0] level_o,
    output logic [6:0] node_o,
    output logic [2:0] depth_o,
    output logic all_o,
    output logic digit_ends_o,
    output logic tree_o,
    output logic alone_o,
    output logic right_o,
    output logic top_o
);
  logic [6:0] chain_q, node_q, last_q;
  logic [3:0] step_q;
  logic [4:0] level_q;
  logic [2:0] depth_q;
  logic top_q;  // a hash later than the level
  assign {chain_o, step_o, level_o, node_o, depth_o} = {chain_q, step_q, level_q, node_q, depth_q};
  assign all_o = step_q == 4'd14;
  assign digit_ends_o = chain_q == (n24_i ? 7'd47 : 7'd63);
  assign tree_o = last_q == '0;
  assign alone_o = node_q == last_q;
  assign right_o = node_q[0];
  assign top_o = top_q;

  always_ff @(posedge clk_i) begin
    top_q <= level_q == height_of(fives_i) - 5'd1;
    if (begin_i) begin
      {step_q, node_q, level_q} <= {digit_i, chain_q, 5'd0};
      last_q <= n24_i ? 7'd50 : 7'd66;
    end
    if (step_i) step_q <= step_q + 4'd1;
    if (up_i) {node_q, last_q, level_q} <= {1'b0, node_q[6:1], 1'b0, last_q[6:1], level_q + 5'd1};
    if (path_i) level_q <= '0;
    if (push_i) {chain_q, depth_q} <= {chain_q + 7'd1, depth_q + 3'd1};
    if (pop_i) depth_q <= depth_q - 3'd1;
    if (!rst_ni) {chain_q, depth_q} <= '0;
  end
endmodule

`default_nettype wire
