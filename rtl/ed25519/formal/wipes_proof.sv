// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A core wipes itself for a fixed number of cycles from the one after a reset, `zeroize_i` or
// OpClear, whatever its registers hold; a lane that waits for a command takes OpClear. Meanwhile it
// takes nothing and shows nothing, and it answers OpClear at the end.
`default_nettype none

module wipes_proof
  import ed25519_pkg::*;
#(
    parameter bit FAST = 1'b1,
    parameter bit HALF_SIZE = 1'b1,
    parameter int unsigned MUL_LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    input wire [1:0] cmd_op_i,
    input wire key_valid_i,
    input wire [63:0] key_data_i,
    input wire in_valid_i,
    input wire [63:0] in_data_i,
    input wire [3:0] in_bytes_i,
    input wire in_last_i,
    input wire out_ready_i,
    input wire rsp_ready_i,
    output logic differs_o
);
  localparam int unsigned Cycles = MUL_LATENCY + 17;

  logic wiping, cmd_ready, key_ready, key_held, in_ready, out_valid, out_last, rsp_valid, mul_busy;
  logic [ 7:0] rsp_verdict;
  logic [63:0] out_data;
  ed25519 #(
      .FAST(FAST),
      .HALF_SIZE(HALF_SIZE),
      .MUL_LATENCY(MUL_LATENCY)
  ) u_core (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .wiping_o(wiping),
      .cmd_valid_i,
      .cmd_ready_o(cmd_ready),
      .cmd_op_i,
      .key_valid_i,
      .key_ready_o(key_ready),
      .key_data_i,
      .key_held_o(key_held),
      .in_valid_i,
      .in_ready_o(in_ready),
      .in_data_i,
      .in_bytes_i,
      .in_last_i,
      .out_valid_o(out_valid),
      .out_ready_i,
      .out_data_o(out_data),
      .out_last_o(out_last),
      .rsp_valid_o(rsp_valid),
      .rsp_ready_i,
      .rsp_verdict_o(rsp_verdict),
      .mul_busy_o(mul_busy)
  );
  wire unused = &{out_data, out_last, key_held, rsp_verdict, mul_busy};

  // Cycles since the wiping began; 0: none is due. An answer is due once a clear is done.
  logic [5:0] since_q;
  logic drops, clears, due_q;
  assign drops  = !rst_ni || zeroize_i;
  assign clears = cmd_valid_i && cmd_ready && cmd_op_i == OpClear;
  always_ff @(posedge clk_i) begin
    since_q <= drops || clears ? 6'd1 : since_q == '0 || since_q >= 6'(Cycles) ? 6'd0 : since_q + 6'd1;
    due_q   <= !drops && (clears || (due_q && !(rsp_valid && rsp_ready_i)));
  end

  logic left, open, answers;
  assign left = 6'(u_core.gen_lane[0].u_lane.u_wipe.left_q) == 6'(Cycles) + 6'd1 - since_q;
  assign open = cmd_ready || key_ready || in_ready || out_valid || rsp_valid;
  // The answer comes where it is due and when nothing is being wiped; the lane knows of it.
  assign answers = u_core.gen_lane[0].u_lane.cleared_q;
  always_comb begin
    differs_o = due_q != answers || (due_q && !wiping && !rsp_valid);
    if (since_q != '0 && (!wiping || !left || open)) differs_o = 1'b1;
  end
endmodule

`default_nettype wire
