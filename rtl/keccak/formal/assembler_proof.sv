// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The beats of a block stay together: once sha3_assembler has taken a beat of one tag, it takes
// none of another before that block is complete, whatever is offered to it and whenever blocks are
// taken from it. A block is taken for the tag whose beats it has.
`default_nettype none

module assembler_proof
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire beat_t beat_i,
    input wire [4:0] rate_i,
    input wire open_i,
    input wire once_i,
    input wire next_i,
    input wire tag_t next_tag_i,
    output logic differs_o
);

  logic ready, next, taken_q;
  tag_t taken_tag_q;
  end_e block_end;
  logic [24:0][63:0] block;
  logic closes;
  sha3_assembler u_assembler (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o(ready),
      .beat_i,
      .rate_i(rate_i > 5'd25 ? 5'd25 : rate_i),
      .suffix_i(8'h06),
      .two_i(rate_i == 5'd2),
      .open_i,
      .once_i,
      .closes_o(closes),
      .next_i,
      .next_tag_i,
      .next_o(next),
      .taken_i(taken_q),
      .ending_o(block_end),
      .block_o(block)
  );
  wire unused = &{block, block_end, closes};
  always_ff @(posedge clk_i) begin
    taken_q <= rst_ni && next;
    taken_tag_q <= next_tag_i;
  end

  // A beat was taken and its block has not left; whose block it is.
  logic begun_q, accept;
  tag_t tag_q;
  assign accept = rst_ni && valid_i && ready;
  always_ff @(posedge clk_i) begin
    if (accept) tag_q <= beat_i.tag;
    begun_q <= rst_ni && (accept || (begun_q && !taken_q));
  end

  logic mixed, mislabelled;
  assign mixed = accept && begun_q && !taken_q && beat_i.tag != tag_q;
  assign mislabelled = taken_q && begun_q && taken_tag_q != tag_q;
  assign differs_o = mixed || mislabelled;

endmodule

`default_nettype wire
