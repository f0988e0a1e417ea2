// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Bytes of output that each tag has yet to give. They go round with the slots; what a block takes
// from them is subtracted in two halves on the way.
`default_nettype none

module sha3_left
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    // A command for the slot at one of the places.
    input wire [3:0] load_i,
    input wire op_e op_i,
    input wire [4:0] rate_i,
    input wire [2:0] lanes_i,
    input wire [31:0] length_i,
    output logic [4:0] rate_o,  // of the slot that passes the entry, in lanes
    // The slot that passed it a cycle ago: what a block of output gives.
    output logic [7:0] bytes_o,
    output logic last_o,
    input wire give_i
);

  typedef struct packed {
    logic given;  // a block was given in this turn, and more is left
    logic borrow;  // from the upper half
    logic last;  // one block has all that is left
    logic [4:0] rate;
    logic [31:0] left;
  } left_t;

  left_t [3:0] left_q, left_d, kept;
  left_t fresh;
  assign fresh.given  = 1'b0;
  assign fresh.borrow = 1'b0;
  assign fresh.last   = op_i == OpSave;
  assign fresh.rate   = op_i == OpSave ? 5'd25 : rate_i;
  assign fresh.left   = op_i == OpSave ? 32'd200 : op_i == OpChain ? {26'd0, lanes_i, 3'b000} : length_i;

  always_comb begin
    kept = left_q;
    kept[Entry] = wipe_i ? '0 : left_q[Entry];
    kept[Passed].given = give_i && !left_q[Passed].last;
    {kept[Half].borrow, kept[Half].left[15:0]} =
        {1'b0, left_q[Half].left[15:0]} - (left_q[Half].given ? {9'd0, left_q[Half].rate, 3'b000} : 17'd0);
    kept[Next].left[31:16] = left_q[Next].left[31:16] - {15'd0, left_q[Next].borrow};
    // A turn later it is true of the subtracted upper half too, long before the next block.
    kept[Next].last = left_q[Next].left[31:8] == '0 && left_q[Next].left[7:0] <= {left_q[Next].rate, 3'b000};
    for (int unsigned p = 0; p < Tags; p++) left_d[p] = load_i[p] ? fresh : kept[p];
  end
  always_ff @(posedge clk_i) left_q <= {left_d[2:0], left_d[3]};

  assign rate_o  = left_q[Entry].rate;
  assign last_o  = left_q[Passed].last;
  assign bytes_o = last_o ? left_q[Passed].left[7:0] : {left_q[Passed].rate, 3'b000};

endmodule

`default_nettype wire
