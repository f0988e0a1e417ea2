// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Occupancy and order of the pipeline of keccak_core: a block that enters ends exactly 24 N / UNROLL cycles later, under its own tag; nothing
// else ends; an entry is offered exactly where no block is on its way through, so no block is lost or overwritten. Reset may come at any time.
`default_nettype none

module pipeline_proof
  import keccak_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 1,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire cont_i,
    input wire [3:0] tag_i,
    output logic differs_o
);

  localparam int unsigned Slots = (INNER != 0 ? UNROLL : 0) + (OUTREG != 0 ? UNROLL : 1);
  localparam int unsigned Cycles = Rounds / UNROLL * Slots;

  logic ends, ready, enters, valid;
  logic [3:0] end_tag, tag, out_tag;
  state_t state;
  assign enters = rst_ni && valid_i && ready;

  keccak_core #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG),
      .ENTRY (0),
      .RATE  (1344)
  ) u_core (
      .clk_i,
      .rst_ni,
      .end_o    (ends),
      .end_tag_o(end_tag),
      .ready_o  (ready),
      .valid_i  (enters),
      .cont_i   (enters && cont_i && ends),
      .tag_i    (tag),
      .msg_i    ('0),
      .valid_o  (valid),
      .tag_o    (out_tag),
      .state_o  (state)
  );
  assign tag = enters && cont_i && ends ? end_tag : tag_i;
  wire unused = &{valid, out_tag, state};

  // When each block is due, and under which tag: one place for each cycle of its way.
  logic [Cycles-1:0] due_q;
  logic [Cycles-1:0][3:0] tag_q;
  always_ff @(posedge clk_i) begin
    due_q <= rst_ni ? {due_q[Cycles-2:0], enters} : '0;
    tag_q <= {tag_q[Cycles-2:0], tag};
  end

  // The slot that passes the entry is taken by a block that entered a multiple of Slots cycles ago.
  logic taken;
  always_comb begin
    taken = 1'b0;
    for (int unsigned i = Slots - 1; i < Cycles - 1; i += Slots) taken = taken | due_q[i];
  end

  assign differs_o = ends != due_q[Cycles-1] || (ends && end_tag != tag_q[Cycles-1]) || ready == taken;

endmodule

`default_nettype wire
