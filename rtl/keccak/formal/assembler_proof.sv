// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The beats of a block stay together: once sha3_assembler has taken a beat of one tag, it takes
// none of another before that block is complete, whatever is offered to it and whenever blocks are
// taken from it.
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
    input wire ready_i,
    output logic differs_o
);

  logic ready, valid;
  tag_t block_tag;
  end_e block_end;
  logic [24:0][63:0] block;
  sha3_assembler u_assembler (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o (ready),
      .beat_i,
      .rate_i  (rate_i > 5'd25 ? 5'd25 : rate_i),
      .suffix_i(8'h06),
      .open_i,
      .once_i,
      .valid_o (valid),
      .ready_i,
      .tag_o   (block_tag),
      .ending_o(block_end),
      .block_o (block)
  );
  wire unused = &{block, block_end};

  // A beat was taken and its block has not left; whose block it is.
  logic begun_q, accept;
  tag_t tag_q;
  assign accept = rst_ni && valid_i && ready;
  always_ff @(posedge clk_i) begin
    if (accept) tag_q <= beat_i.tag;
    begun_q <= rst_ni && (accept || (begun_q && !(valid && ready_i)));
  end

  logic mixed, mislabelled;
  assign mixed = accept && begun_q && !valid && beat_i.tag != tag_q;
  assign mislabelled = valid && begun_q && block_tag != tag_q;
  assign differs_o = mixed || mislabelled;

endmodule

`default_nettype wire
