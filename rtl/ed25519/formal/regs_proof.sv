// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A register file that forgets: a cycle of `wipe_i` without a write, as the third cycle of a wiping
// and all after it are, puts what the last port would write into every register. `flow/wiped.ys`
// compares two copies with the same ports, whose registers held anything.
`default_nettype none

module regs_proof #(
    parameter int unsigned REGS = 46
) (
    input wire clk_i,
    input wire [5:0] write_address_i[3],
    input wire [256:0] write_data_i[3],
    input wire [5:0] read_address_i[3],
    output logic wiped_by_o
);
  logic wipe;
  logic [256:0] read_data[3];
  ed25519_regs #(
      .REGS(REGS)
  ) u_regs (
      .clk_i,
      .wipe_i(wipe),
      .write_i(1'b0),
      .write_address_i,
      .write_data_i,
      .read_address_i,
      .read_data_o(read_data)
  );
  assign wipe = 1'b1;
  assign wiped_by_o = wipe;
  wire unused = ^{read_data[0], read_data[1], read_data[2]};
endmodule

`default_nettype wire
