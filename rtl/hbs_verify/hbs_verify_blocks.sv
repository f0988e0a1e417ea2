// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The block of the hash in work: words come in at the back while the compression of the block
// before takes its own from the front. A word is written a cycle after it is pushed, before any
// that has to be read: it is read in a block that is full, and not the first word of it.
module hbs_verify_blocks (
    input wire clk_i,
    input wire rst_ni,
    input wire push_i,  // only where it is not full
    input wire [31:0] word_i,
    output logic [3:0] at_o,  // where the next word goes
    output logic [4:0] fill_o,  // 16: it is full
    input wire read_i,
    input wire [3:0] slot_i,
    output logic [31:0] word_o
);
  logic [15:0][31:0] words_q;
  logic [3:0] at_q;
  logic [4:0] fill_q;
  logic write_q;
  logic [3:0] write_at_q;
  logic [31:0] write_word_q;
  assign at_o   = at_q;
  assign fill_o = fill_q;

  always_comb begin
    word_o = '0;
    for (int unsigned i = 0; i < 16; i++) word_o |= {32{slot_i == 4'(i)}} & words_q[i];
  end

  for (genvar i = 0; i < 16; i++) begin : gen_word
    always_ff @(posedge clk_i) if (write_q && write_at_q == 4'(i)) words_q[i] <= write_word_q;
  end
  always_ff @(posedge clk_i) begin
    {write_q, write_at_q, write_word_q} <= {push_i, at_q, word_i};
    if (!rst_ni) begin
      at_q   <= '0;
      fill_q <= '0;
    end else begin
      if (push_i) at_q <= at_q + 4'd1;
      fill_q <= fill_q + 5'(push_i) - 5'(read_i);
    end
  end
endmodule

`default_nettype wire
