// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The block of the hash in work: words come in at the back while the compression of the block
// before takes its own from the front. Each word that comes moves all others by one, so that the
// place of the front follows from how many are there.
module hbs_verify_blocks (
    input wire clk_i,
    input wire rst_ni,
    input wire push_i,  // only where it is not full
    input wire [31:0] word_i,
    output logic [3:0] at_o,  // where the next word goes
    output logic [4:0] fill_o,  // 16: it is full
    input wire read_i,
    input wire [2:0] place_i,  // read in place of the front, where nothing is there
    output logic [31:0] word_o,
    // The next word of the left node, which began at the ninth place of the block before. Each word
    // that has come since has moved it by one: its own, and with n = 24 seven before them.
    input wire n24_i,
    output logic [31:0] beside_o
);
  logic [15:0][31:0] words_q;
  logic [3:0] at_q, slot;
  logic [4:0] fill_q;
  assign at_o = at_q;
  assign fill_o = fill_q;
  assign slot = -fill_q[3:0] | {1'b0, place_i};
  assign beside_o = n24_i ? words_q[1] : words_q[8];

  always_comb begin
    word_o = '0;
    for (int unsigned i = 0; i < 16; i++) word_o |= {32{slot == 4'(i)}} & words_q[i];
  end

  always_ff @(posedge clk_i) begin
    if (push_i) words_q <= {word_i, words_q[15:1]};
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
