// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Register file: three reads, three writes. No two writes are to the same register, and one to a
// number that does not exist is dropped. With `wipe_i` every register takes what the last port
// would write.
//
// Writes and reads are ANDs and ORs of lines with one bit set, which in standard cells are smaller
// than multiplexers.
`default_nettype none

module ed25519_regs #(
    parameter int unsigned REGS = 34
) (
    input wire clk_i,
    input wire wipe_i,
    input wire write_i,
    input wire [5:0] write_address_i[3],
    input wire [256:0] write_data_i[3],
    input wire [5:0] read_address_i[3],
    output logic [256:0] read_data_o[3]
);
  logic [256:0] regs_q[REGS];

  for (genvar i = 0; i < REGS; i++) begin : gen_reg
    logic [  2:0] hit;
    logic [256:0] written;
    for (genvar j = 0; j < 3; j++) begin : gen_hit
      assign hit[j] = wipe_i ? j == 2 : write_i && write_address_i[j] == 6'(i);
    end
    always_comb begin
      written = '0;
      for (int unsigned j = 0; j < 3; j++) written |= {257{hit[j]}} & write_data_i[j];
    end
    always_ff @(posedge clk_i) begin
      if (|hit) regs_q[i] <= written;
    end
  end

  for (genvar k = 0; k < 3; k++) begin : gen_read
    always_comb begin
      read_data_o[k] = '0;
      for (int unsigned i = 0; i < REGS; i++) read_data_o[k] |= {257{read_address_i[k] == 6'(i)}} & regs_q[i];
    end
  end
endmodule

`default_nettype wire
