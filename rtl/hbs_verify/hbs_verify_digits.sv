// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The digits of a digest, one after another, then those of their checksum, which is added up on the
// way: RFC 8554, Section 3.1.3 (Strings of w-Bit Elements) and Section 4.4 (Checksum).
module hbs_verify_digits (
    input wire clk_i,
    input wire rst_ni,
    input wire n24_i,
    input wire [1:0] log_w_i,
    input wire load_i,  // eight times, words of the digest
    input wire [31:0] word_i,
    input wire take_i,  // the next digit
    input wire ends_i,  // with `take_i`: the digit is the message's last one
    output logic [7:0] digit_o,
    output logic [7:0] steps_o  // from the digit to the end of the chain
);
  logic [7:0][31:0] words_q;
  logic [12:0] sum_q;  // at most 255 for each of 32 digits
  logic [4:0] bit_q, bit_d;
  logic [7:0] top, digit, most;
  assign top = words_q[0][31:24];

  // The checksum stands in the highest bits of 16.
  logic [31:0] rest, check;
  always_comb begin
    unique case (log_w_i)
      2'd0: begin
        digit = {7'd0, top[7]};
        most  = 8'h01;
        rest  = {words_q[0][30:0], 1'd0};
        check = n24_i ? {sum_q[7:0], 24'd0} : {sum_q[8:0], 23'd0};
      end
      2'd1: begin
        digit = {6'd0, top[7:6]};
        most  = 8'h03;
        rest  = {words_q[0][29:0], 2'd0};
        check = {sum_q[9:0], 22'd0};
      end
      2'd2: begin
        digit = {4'd0, top[7:4]};
        most  = 8'h0f;
        rest  = {words_q[0][27:0], 4'd0};
        check = {sum_q[11:0], 20'd0};
      end
      default: begin
        digit = top;
        most  = 8'hff;
        rest  = {words_q[0][23:0], 8'd0};
        check = {3'd0, sum_q, 16'd0};
      end
    endcase
  end
  assign digit_o = digit;
  assign steps_o = digit ^ most;
  assign bit_d   = bit_q + (5'd1 << log_w_i);

  // A chain takes some cycles, so that the next digit may come later.
  logic take_q, ends_q, check_q;
  always_ff @(posedge clk_i) begin
    {take_q, ends_q, check_q} <= {take_i, take_i && ends_i, ends_q};
    if (load_i || (take_q && bit_d == '0)) words_q <= {word_i, words_q[7:1]};
    else if (take_q) words_q[0] <= rest;
    if (check_q) words_q[0] <= check;
    if (take_q) begin
      sum_q <= sum_q + {5'd0, steps_o};
      bit_q <= ends_q ? '0 : bit_d;
    end
    if (load_i || !rst_ni) {sum_q, bit_q} <= '0;
  end
endmodule

`default_nettype wire
