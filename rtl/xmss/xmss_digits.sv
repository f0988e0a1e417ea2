// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// From a digest to the first digit of every chain: RFC 8391, Algorithm 1 (base_w) with w = 16, and
// the checksum of RFC 8391, Section 3.1.5 (WOTS+ Signature Generation); RFC 8554, Section 3.1.3
// (Strings of w-Bit Elements) and Section 4.4 (Checksum), w = 4 and 8, are the same. The digits of
// the message in the cycle after `start_i`, those of the checksum eight cycles later.
module xmss_digits
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire clear_i,
    input wire start_i,
    input wire n24_i,
    input wire bytes_i,  // digits of eight bits
    input wire state_t digest_i,  // stays
    output logic message_o,  // digits of the message are there, one cycle
    output logic checksum_o,  // digits of the checksum are there, one cycle
    output logic [Len-1:0] of_message_o,
    output logic [Len-1:0][7:0] digits_o
);
  logic [3:0] word_q;
  logic [15:0] sum_q;
  logic busy_q;

  logic [63:0][3:0] nibbles;
  logic [31:0][7:0] octets;
  for (genvar i = 0; i < 64; i++) begin : gen_nibble
    assign nibbles[i] = digest_i[i/8][31-4*(i%8)-:4];
  end
  for (genvar i = 0; i < 32; i++) begin : gen_octet
    assign octets[i] = digest_i[i/4][31-8*(i%4)-:8];
  end

  // Digits of the message, then three or two of the checksum.
  logic [6:0] count;
  logic [2:0][7:0] check;
  assign count = bytes_i ? (n24_i ? 7'd24 : 7'd32) : n24_i ? 7'd48 : 7'd64;
  assign check = bytes_i ? {8'd0, sum_q[7:0], sum_q[15:8]} : {4'd0, sum_q[3:0], 4'd0, sum_q[7:4], 4'd0, sum_q[11:8]};
  for (genvar i = 0; i < Len; i++) begin : gen_digit
    localparam int unsigned Nibble = i < 64 ? i : 0;
    localparam int unsigned Octet = i < 32 ? i : 0;
    logic [1:0] behind;
    assign behind = 2'(7'(i) - count);
    assign of_message_o[i] = 7'(i) < count;
    assign digits_o[i] = !of_message_o[i] ? check[behind] : bytes_i ? octets[Octet] : {4'd0, nibbles[Nibble]};
  end

  logic [10:0] word_sum;
  always_comb begin
    word_sum = '0;
    for (int unsigned i = 0; i < 8; i++) word_sum += bytes_i ? 11'd0 : {7'd0, 4'd15 - digest_i[word_q[2:0]][4*i+:4]};
    for (int unsigned i = 0; i < 4; i++) word_sum += bytes_i ? {3'd0, 8'd255 - digest_i[word_q[2:0]][8*i+:8]} : 11'd0;
  end

  assign message_o  = busy_q && word_q == 4'd0;
  assign checksum_o = busy_q && word_q == 4'd8;
  always_ff @(posedge clk_i) begin
    if (start_i || !rst_ni) sum_q <= '0;
    else if (busy_q && word_q < (n24_i ? 4'd6 : 4'd8)) sum_q <= sum_q + {5'd0, word_sum};
    if (!rst_ni || (clear_i && !start_i)) begin
      busy_q <= 1'b0;
      word_q <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      word_q <= '0;
    end else if (busy_q) begin
      word_q <= word_q + 4'd1;
      busy_q <= !word_q[3];
    end
  end
endmodule

`default_nettype wire
