// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A SHA-3 unit wipes itself for eleven cycles from the one after a reset, `zeroize_i` or OpClear,
// whatever its registers hold. Meanwhile it takes nothing and shows no output, and from the second
// of these cycles on no state stays and nothing is added to one.
`default_nettype none

module wipes_proof
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    input wire beat_t in_i,
    input wire out_ready_i,
    output logic differs_o
);

  localparam logic [3:0] Cycles = 4'd11;
  logic cmd_ready, in_ready, out_valid;
  out_t out;
  sha3_unit u_unit (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i,
      .cmd_ready_o(cmd_ready),
      .cmd_i,
      .in_valid_i,
      .in_ready_o (in_ready),
      .in_i,
      .out_valid_o(out_valid),
      .out_ready_i,
      .out_o      (out)
  );
  wire unused = &out;

  // Cycles since the wiping began; 0: none is due.
  logic [3:0] since_q;
  logic begins;
  assign begins = !rst_ni || zeroize_i || (cmd_valid_i && cmd_ready && cmd_i.op == OpClear);
  always_ff @(posedge clk_i) since_q <= begins ? 4'd1 : since_q == '0 || since_q >= Cycles ? 4'd0 : since_q + 4'd1;

  logic wiping, open, stays;
  assign wiping = u_unit.wipe && u_unit.u_wipe.left_q == Cycles + 4'd1 - since_q;
  assign open = cmd_ready || in_ready || out_valid;
  assign stays = u_unit.keeps || u_unit.enters || u_unit.step.lanes != '0;
  assign differs_o = since_q != '0 && (!wiping || open || (since_q > 4'd1 && stays));

endmodule

`default_nettype wire
