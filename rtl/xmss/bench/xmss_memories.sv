// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The memories of an engine in IHP SG13G2 (`whole.toml`): macros of 256 words of 32 bits with two
// ports for the values, of 1,024 and 256 words of 64 bits with one port for keys and masks.
`default_nettype none

module xmss_memories
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    output state_t value_o,
    input wire slot_t other_slot_i,
    output state_t other_o,
    input wire [1:0] row_write_i,
    input wire [9:0] row_i,
    input wire state_t part_i,
    output state_t [1:0] row_o,
    input wire [2:0] node_write_i,
    input wire slot_t node_i,
    output state_t [2:0] node_o
);
  for (genvar i = 0; i < 8; i++) begin : gen_values
    RM_IHPSG13_2P_256x32_c2_bm_bist u_values (
        .A_CLK (clk_i),
        .A_MEN (1'b1),
        .A_WEN (value_write_i),
        .A_REN (1'b1),
        .A_BM  ('1),
        .A_ADDR({1'b0, value_slot_i}),
        .A_DIN (value_i[i]),
        .A_DOUT(value_o[i]),
        .B_CLK (clk_i),
        .B_MEN (1'b1),
        .B_WEN (1'b0),
        .B_REN (1'b1),
        .B_BM  ('1),
        .B_ADDR({1'b0, other_slot_i}),
        .B_DIN ('0),
        .B_DOUT(other_o[i])
    );
  end
  for (genvar i = 0; i < 8; i++) begin : gen_rows
    RM_IHPSG13_1P_1024x64_c2_bm_bist u_rows (
        .A_CLK (clk_i),
        .A_MEN (1'b1),
        .A_WEN (row_write_i[i/4]),
        .A_REN (1'b1),
        .A_BM  ('1),
        .A_ADDR(row_i),
        .A_DIN (part_i[2*(i%4)+:2]),
        .A_DOUT(row_o[i/4][2*(i%4)+:2])
    );
  end
  for (genvar i = 0; i < 12; i++) begin : gen_nodes
    RM_IHPSG13_1P_256x64_c2_bm_bist u_nodes (
        .A_CLK (clk_i),
        .A_MEN (1'b1),
        .A_WEN (node_write_i[i/4]),
        .A_REN (1'b1),
        .A_BM  ('1),
        .A_ADDR({1'b0, node_i}),
        .A_DIN (part_i[2*(i%4)+:2]),
        .A_DOUT(node_o[i/4][2*(i%4)+:2])
    );
  end
endmodule

`default_nettype wire
