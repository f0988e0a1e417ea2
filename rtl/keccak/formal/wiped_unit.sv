// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The SHA-3 unit as `bus_wiped_proof` takes it, by what the proofs of the unit say. While it wipes
// itself it takes nothing and shows no output (`wipes_proof`), but the value of its output may be
// anything; afterwards it is the same whatever it held (`wiped_proof`), here zero.
`default_nettype none

module sha3_unit
  import sha3_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 2,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire beat_t in_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output out_t out_o
);

  logic start, wipe, wiped_q;
  assign start = !rst_ni || zeroize_i || (cmd_valid_i && cmd_ready_o && cmd_i.op == OpClear);
  sha3_wipe u_wipe (
      .clk_i,
      .start_i(start),
      .wipe_o (wipe)
  );

  // Registers that hold anything, and never the same.
  logic [2:0] open_q;
  out_t out_q;
  always_ff @(posedge clk_i) begin
    wiped_q <= wipe || (wiped_q && !start);
    open_q <= {open_q[1:0], open_q[2] ^ in_valid_i};
    out_q <= {out_q[$bits(out_t)-2:0], out_q[$bits(out_t)-1] ^ out_ready_i};
  end
  assign {cmd_ready_o, in_ready_o, out_valid_o} = wipe || wiped_q ? '0 : open_q;
  assign out_o = !wipe && wiped_q ? '0 : out_q;

  wire unused = &{in_i, cmd_i, UNROLL, INNER, OUTREG};

endmodule

`default_nettype wire
