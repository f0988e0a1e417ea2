// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The digits of LMS with w = 1 and 2, one window after the other: what RFC 8554, Section 4.5
// (Signature Generation) cuts into digits, Q and behind it its checksum (Section 4.4).
//
// A digit of the window stands in four bits, in the place of a digit of w = 4: a signature makes as
// many steps as it says, and a leaf all of them; a verification makes those up to 15, so a digit is
// as far from 15 there as it is from its last step.
//
// Each of the 64 places has a register of four bits, its digits of this window and of those behind
// it: four digits of w = 1 or two of w = 2. With the next window they move down, and the checksum
// follows. So no digit is chosen on the way to the board.
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
  // The set, a cycle later: the digits of a window are not looked at in its first cycle.
  logic n24_q, verify_q, ones_q;
  always_ff @(posedge clk_i) {n24_q, verify_q, ones_q} <= rst_ni ? {n24_i, verify_i, window_i.ones} : '0;

  logic start_q, whole_q;
  logic [2:0] word_q;
  logic summing_q;
  logic [63:0][3:0] place_q;
  logic [9:0] sum_q;
  assign start_o = (start_q || window_i.begins) && !stop_i;

  // Q from its first bit on, all ones behind it, which add nothing to the sum; of a leaf all ones.
  logic [255:0] line;
  for (genvar i = 0; i < 256; i++) begin : gen_line
    assign line[i] = digest_i[i/32][31-i%32] || whole_q || (n24_q && i >= 192);
  end

  // The sum is there before the first window is over.
  logic [ 5:0] word_sum;
  logic [31:0] word;
  assign word = place_q[{word_q, 3'd0}+:8];
  always_comb begin
    word_sum = '0;
    for (int unsigned i = 0; i < 32; i += 2) word_sum += ones_q ? {5'd0, !word[i]} + {5'd0, !word[i+1]} : {4'd0, ~word[i+:2]};
  end

  // The checksum is moved to the left by ls bits (Section 4.1 (Parameters)).
  logic [15:0] checksum;
  assign checksum = (!ones_q ? {sum_q, 6'd0} : n24_q ? {sum_q[7:0], 8'd0} : {sum_q[8:0], 7'd0}) | {16{whole_q}};

  // The places at the beginning, and as the next window has them. No chain has a digit behind the
  // checksum.
  logic [63:0][3:0] first, moved;
  for (genvar i = 0; i < 64; i++) begin : gen_place
    localparam int unsigned Bit = i < 16 ? 15 - i : 0;
    localparam int unsigned Pair = i % 32 < 8 ? 15 - 2 * (i % 32) : 1;
    logic one;
    logic [1:0] two;
    assign one = checksum[Bit];
    assign two = checksum[Pair-:2];
    assign first[i] = ones_q ? {line[192+i], line[128+i], line[64+i], line[i]} : {line[128+2*i], line[129+2*i], line[2*i], line[2*i+1]};
    assign moved[i] = ones_q ? {one, n24_q ? one : place_q[i][3], place_q[i][2:1]} : {two, n24_q && i >= 32 ? two : place_q[i][3:2]};
    assign digits_o[i/8][31-4*(i%8)-:4] = {{2{verify_q}}, ones_q ? verify_q : place_q[i][1], place_q[i][0]};
  end

  always_ff @(posedge clk_i) begin
    start_q <= start_i && !stop_i;
    if (start_i) whole_q <= whole_i;
    if (start_q) begin
      place_q   <= first;
      sum_q     <= '0;
      word_q    <= '0;
      summing_q <= 1'b1;
    end else begin
      if (window_i.begins) place_q <= moved;
      if (summing_q) begin
        sum_q     <= sum_q + {4'd0, word_sum};
        word_q    <= word_q + 3'd1;
        summing_q <= word_q != 3'd7;
      end
    end
    if (!rst_ni) {start_q, whole_q, place_q, sum_q, word_q, summing_q} <= '0;
  end
  wire unused = &window_i;
endmodule

`default_nettype wire
