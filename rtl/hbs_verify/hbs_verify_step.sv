// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The words of a step of a chain: I, q, the chain, the step and the value before it, padded (RFC
// 8554, Section 4.3 (Public Key)). A value begins with the last byte of word 5.
module hbs_verify_step (
    input wire clk_i,
    input wire n24_i,
    input wire [3:0] slot_i,
    input wire [31:0] id_i,  // the word of it
    input wire [31:0] number_i,  // q
    input wire [8:0] chain_i,
    input wire [7:0] step_i,
    input wire [31:0] value_i,  // its word, from slot 5 on
    output logic [31:0] word_o,
    output logic value_o  // the slot takes a word of the value
);
  logic [23:0] low_q;
  logic [ 3:0] ends;
  assign ends = n24_i ? 4'd11 : 4'd13;
  assign value_o = slot_i >= 4'd5 && slot_i < ends;
  always_ff @(posedge clk_i) low_q <= value_i[23:0];

  always_comb begin
    word_o = '0;
    if (slot_i < 4'd4) word_o = id_i;
    else if (slot_i == 4'd4) word_o = number_i;
    else if (slot_i == 4'd5) word_o = {7'd0, chain_i, step_i, value_i[31:24]};
    else if (slot_i < ends) word_o = {low_q, value_i[31:24]};
    else if (slot_i == ends) word_o = {low_q, 8'h80};
    else if (slot_i == 4'd15) word_o = n24_i ? 32'd376 : 32'd440;
  end
endmodule

`default_nettype wire
