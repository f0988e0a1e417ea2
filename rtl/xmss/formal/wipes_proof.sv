// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The wiping that `wiped_proof` takes for granted begins in the cycle after a reset, `zeroize_i` or
// CmdClear, whatever the registers hold. It lasts until xmss_store has counted its memories.
`default_nettype none

module wipes_proof (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    input wire [3:0] cmd_op_i,
    input wire cmd_check_i,
    input wire cmd_table_i,
    input wire cmd_idle_i,
    input wire [1:0] cmd_mode_i,
    input wire cmd_octets_i,
    input wire cmd_narrow_i,
    input wire [4:0] cmd_height_i,
    input wire [31:0] cmd_index_i,
    input wire [59:0] cmd_length_i,
    input wire in_valid_i,
    input wire [63:0] in_data_i,
    input wire in_last_i,
    input wire out_ready_i,
    input wire rsp_ready_i,
    output logic differs_o
);
  logic wiped_by_o, begins_q, clear_q;
  wiped_proof u_wiped (.*);
  always_ff @(posedge clk_i) begin
    begins_q <= wiped_by_o;
    clear_q  <= rst_ni && !zeroize_i && cmd_valid_i && u_wiped.cmd_ready && cmd_op_i == 4'd6;  // CmdClear
  end
  assign differs_o = (begins_q && !u_wiped.u_engine.wiping) || (clear_q && !wiped_by_o);
endmodule

`default_nettype wire
