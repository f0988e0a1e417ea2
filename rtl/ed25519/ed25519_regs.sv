// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Register file: three reads, three writes. A write to a number that does not exist is dropped.
// With `wipe_i` every register takes what the last port would write.
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
    logic [2:0] hit;
    for (genvar j = 0; j < 3; j++) begin : gen_hit
      assign hit[j] = write_i && write_address_i[j] == 6'(i);
    end
    always_ff @(posedge clk_i) begin
      if (|hit || wipe_i) regs_q[i] <= hit[0] ? write_data_i[0] : hit[1] ? write_data_i[1] : write_data_i[2];
    end
  end
  for (genvar k = 0; k < 3; k++) begin : gen_read
    assign read_data_o[k] = read_address_i[k] < 6'(REGS) ? regs_q[read_address_i[k]] : '0;
  end
endmodule

`default_nettype wire
