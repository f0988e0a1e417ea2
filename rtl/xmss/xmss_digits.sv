// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// From a digest to the first digit of every chain: RFC 8391, Algorithm 1 (base_w) with w = 16, and the checksum of RFC 8391,
// Section 3.1.5 (WOTS+ Signature Generation). The digits of the message in the cycle after `start_i`, those of the checksum eight
// cycles later.
module xmss_digits
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire clear_i,
    input wire start_i,
    input wire state_t digest_i,  // stays
    output logic message_o,  // digits 0 to 63 are there, one cycle
    output logic checksum_o,  // digits 64 to 66 are there, one cycle
    output logic [Len-1:0][3:0] digits_o
);
  logic [3:0] word_q;
  logic [11:0] sum_q;
  logic busy_q;

  for (genvar i = 0; i < 64; i++) begin : gen_digit
    assign digits_o[i] = digest_i[i/8][31-4*(i%8)-:4];
  end
  for (genvar i = 0; i < 3; i++) begin : gen_check
    assign digits_o[64+i] = sum_q[11-4*i-:4];
  end

  logic [6:0] word_sum;
  always_comb begin
    word_sum = '0;
    for (int unsigned i = 0; i < 8; i++) word_sum += {3'd0, 4'd15 - digest_i[word_q[2:0]][4*i+:4]};
  end

  assign message_o  = busy_q && word_q == 4'd0;
  assign checksum_o = busy_q && word_q == 4'd8;
  always_ff @(posedge clk_i) begin
    if (start_i) sum_q <= '0;
    else if (busy_q && !word_q[3]) sum_q <= sum_q + {5'd0, word_sum};
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
