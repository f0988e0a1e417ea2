// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The blocks of each tag, as far as its input depends on them: lanes, suffix, whether it is open.
`default_nettype none

module sha3_blocks
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    // A command.
    input wire [Tags-1:0] opens_i,  // for this tag
    input wire op_e op_i,
    input wire [4:0] rate_i,
    input wire [2:0] lanes_i,  // of the value of a chain
    input wire [7:0] suffix_i,
    // A beat.
    input wire tag_t tag_i,
    input wire closes_i,  // is the last of its tag
    output logic [4:0] lanes_o,  // of a block
    output logic [7:0] suffix_o,
    output logic two_o,  // lanes_o is 2
    output logic open_o,  // the tag takes beats
    output logic once_o,  // one block of them, without padding
    // The slot that passes the entry.
    input wire tag_t entry_tag_i,
    output logic [7:0] entry_suffix_o
);

  logic [4:0] lanes;
  assign lanes = op_i == OpLoad ? 5'd25 : op_i == OpChain ? 5'(lanes_i) : rate_i;

  logic [Tags-1:0] open_q, once_q, two_q;
  logic [4:0] lanes_q [Tags];
  logic [7:0] suffix_q[Tags];
  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < Tags; t++) begin
      if (opens_i[t]) begin
        once_q[t] <= op_i == OpLoad || op_i == OpChain;
        two_q[t] <= lanes == 5'd2;
        lanes_q[t] <= lanes;
        suffix_q[t] <= suffix_i;
      end
      open_q[t] <= (opens_i[t] && op_i != OpSave && op_i != OpPrefix) || (open_q[t] && !(closes_i && tag_i == 2'(t)));
      if (wipe_i) {open_q[t], once_q[t], two_q[t], lanes_q[t], suffix_q[t]} <= '0;
    end
  end

  assign lanes_o = lanes_q[tag_i];
  assign suffix_o = suffix_q[tag_i];
  assign two_o = two_q[tag_i];
  assign open_o = open_q[tag_i];
  assign once_o = once_q[tag_i];
  assign entry_suffix_o = suffix_q[entry_tag_i];

endmodule

`default_nettype wire
