// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Factors and term of a word: a register, one of the results of this cycle on their way to it, or a
// source that is none.
`default_nettype none

module ed25519_select (
    // Both factors are zero.
    input wire wipe_i,
    input wire [6:0] a_i,
    input wire [6:0] b_i,
    input wire [6:0] c_i,
    // The term is that of a product of this lane.
    input wire term_i,
    input wire [256:0] read_i[3],
    input wire [256:0] a_special_i,
    input wire [255:0] b_special_i,
    input wire [256:0] c_special_i,
    input wire write_i,
    input wire [5:0] write_address_i[3],
    input wire [256:0] write_data_i[3],
    output logic [256:0] a_o,
    output logic [255:0] b_o,
    output logic [256:0] c_o
);
  // The results come late: what they take the place of is chosen before.
  logic [2:0] a_hit, b_hit, c_hit;
  logic [256:0] a_early, c_early;
  logic [255:0] b_early;

  for (genvar j = 0; j < 3; j++) begin : gen_hit
    assign a_hit[j] = write_i && !a_i[6] && a_i[5:0] == write_address_i[j];
    assign b_hit[j] = write_i && !b_i[6] && b_i[5:0] == write_address_i[j];
    assign c_hit[j] = write_i && !c_i[6] && c_i[5:0] == write_address_i[j] && term_i;
  end
  assign a_early = |a_hit || wipe_i ? '0 : a_i[6] ? a_special_i : read_i[0];
  assign b_early = |b_hit || wipe_i ? '0 : b_i[6] ? b_special_i : read_i[1][255:0];
  assign c_early = |c_hit || !term_i ? '0 : c_i[6] ? c_special_i : read_i[2];

  always_comb begin
    {a_o, b_o, c_o} = {a_early, b_early, c_early};
    // No two destinations of a word are the same register.
    for (int unsigned j = 0; j < 3; j++) begin
      a_o |= {257{a_hit[j]}} & write_data_i[j];
      b_o |= {256{b_hit[j]}} & write_data_i[j][255:0];
      c_o |= {257{c_hit[j]}} & write_data_i[j];
    end
  end
endmodule

`default_nettype wire
