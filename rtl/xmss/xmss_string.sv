// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The digits of LMS with w = 1 and 2, one window after the other: what RFC 8554, Section 4.5
// (Signature Generation) cuts into digits, Q and behind it its checksum (Section 4.4).
//
// A digit of the window stands in four bits, in the place of a digit of w = 4: a signature makes as
// many steps as it says, and a leaf all of them; a verification makes those up to 15, so a digit is
// as far from 15 there as it is from its last step.
module xmss_string
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,  // a message or a leaf begins with its first window
    input wire whole_i,  // it is a leaf
    input wire stop_i,
    input wire n24_i,
    input wire verify_i,
    input wire window_t window_i,
    input wire state_t digest_i,  // from the cycle after `start_i` on
    output logic start_o,  // the digits of a window are there in the next cycle
    output state_t digits_o
);
  // The set and the window, a cycle later: the digits of a window are not looked at in its first
  // cycle.
  logic n24_q, verify_q, ones_q;
  logic [2:0] number_q;
  always_ff @(posedge clk_i) {n24_q, verify_q, ones_q, number_q} <= rst_ni ? {n24_i, verify_i, window_i.ones, window_i.number} : '0;

  logic start_q, whole_q;
  logic [2:0] word_q;
  logic summing_q;
  state_t digest_q;
  logic [9:0] sum_q;
  assign start_o = (start_q || window_i.begins) && !stop_i;

  // The sum is there before the first window is over.
  logic [ 5:0] word_sum;
  logic [31:0] word;
  assign word = digest_q[word_q];
  always_comb begin
    word_sum = '0;
    for (int unsigned i = 0; i < 32; i += 2) word_sum += ones_q ? {5'd0, !word[i]} + {5'd0, !word[i+1]} : {4'd0, ~word[i+:2]};
  end

  // Q and its checksum, which is moved to the left by ls bits (Section 4.1 (Parameters)).
  logic [15:0] checksum;
  logic [11:0][31:0] line;
  assign checksum = !ones_q ? {sum_q, 6'd0} : n24_q ? {sum_q[7:0], 8'd0} : {sum_q[8:0], 7'd0};
  always_comb begin
    line = {128'd0, digest_q};
    if (n24_q) line[7:6] = {32'd0, checksum, 16'd0};
    else line[8] = {checksum, 16'd0};
  end

  // The window's part of it.
  logic [3:0][31:0] part;
  for (genvar i = 0; i < 4; i++) begin : gen_part
    always_comb begin
      part[i] = '0;
      if (ones_q) begin
        for (int unsigned k = 0; k < 5; k++) if (i < 2 && number_q == 3'(k)) part[i] = line[2*k+i%2];
      end else begin
        for (int unsigned k = 0; k < 3; k++) if (number_q == 3'(k)) part[i] = line[4*k+i];
      end
    end
  end
  for (genvar i = 0; i < 64; i++) begin : gen_digit
    logic [3:0] digit;
    always_comb begin
      digit = {{3{verify_q}}, part[i/32][31-i%32] || whole_q};
      if (!ones_q) digit = {{2{verify_q}}, part[i/16][31-2*(i%16)-:2] | {2{whole_q}}};
    end
    assign digits_o[i/8][31-4*(i%8)-:4] = digit;
  end

  always_ff @(posedge clk_i) begin
    start_q <= start_i && !stop_i;
    if (start_i) whole_q <= whole_i;
    if (start_q) begin
      digest_q  <= digest_i;
      sum_q     <= '0;
      word_q    <= '0;
      summing_q <= 1'b1;
    end else if (summing_q) begin
      sum_q     <= sum_q + {4'd0, word_sum};
      word_q    <= word_q + 3'd1;
      summing_q <= word_q != (n24_q ? 3'd5 : 3'd7);
    end
    if (!rst_ni) {start_q, whole_q, digest_q, sum_q, word_q, summing_q} <= '0;
  end
  wire unused = &window_i;
endmodule

`default_nettype wire
