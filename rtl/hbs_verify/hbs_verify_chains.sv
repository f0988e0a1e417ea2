// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Takes chain after chain from the value in the signature to its end, and the ends into the hash:
// RFC 8554, Algorithm 4b (Computing a Public Key Candidate Kc from a Signature, Message, Signature
// Typecode pubtype, and Identifiers I, q). The next value comes in while a chain is in work, and
// its first step begins while the end before it still goes into the block.
module hbs_verify_chains
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire active_i,
    input wire n24_i,
    input wire [1:0] log_w_i,
    // Digits.
    input wire [7:0] digit_i,
    input wire [7:0] steps_i,
    output logic take_o,
    output logic ends_o,  // the digit is the last one of the message
    // Values.
    input wire value_there_i,
    input wire value_empty_i,
    output logic fetch_o,  // words of a value are due
    // Compressions.
    output logic busy_o,  // the digest is a value of a chain
    output logic step_valid_o,
    input wire step_ready_i,
    input wire step_done_i,
    output logic first_o,  // the step begins with the value that has come
    output logic [8:0] chain_o,
    output logic [7:0] step_o,
    // Words into the block.
    input wire [4:0] fill_i,
    output logic push_value_o,
    output logic push_digest_o,
    output logic [2:0] word_o,
    output logic done_o
);
  logic steps_q, passes_q, uses_q, fresh_q, first_q;
  logic [7:0] step_q;
  logic [8:0] chain_q;
  logic [3:0] words, out_q;  // words of the last end that are still to go
  assign words   = n24_i ? 4'd6 : 4'd8;
  assign busy_o  = steps_q;
  assign first_o = first_q;
  assign chain_o = chain_q;
  assign step_o  = step_q;
  assign word_o  = 3'(words - out_q);

  // A chain and a step take some cycles, so that places found from `chain_q` and `step_q` a cycle
  // late are right at their ends.
  logic all_q, last_q, nears_q, ends_q, at_last_q;
  logic full, room, begins, all_steps, whole, passed;
  assign full = fill_i[4];
  assign room = {1'b0, fill_i} + {2'b0, out_q} <= 6'd16;
  assign begins = active_i && !steps_q && !passes_q && value_there_i && !all_q && room;
  assign take_o = begins;
  assign ends_o = ends_q;
  assign fetch_o = active_i && !uses_q && !value_there_i && !all_q && !(last_q && steps_q);
  assign all_steps = !fresh_q && at_last_q;
  assign step_valid_o = steps_q && !all_steps;
  assign whole = steps_q && step_done_i && all_steps;
  assign passed = passes_q && value_empty_i;
  assign push_digest_o = active_i && out_q != '0 && !full;
  assign push_value_o = passes_q && !value_empty_i && out_q == '0 && !full;
  assign done_o = all_q && out_q == '0;

  always_ff @(posedge clk_i) begin
    if (begins) {step_q, fresh_q} <= {digit_i, 1'b1};
    if (step_ready_i) begin
      if (!fresh_q) step_q <= step_q + 8'd1;
      {first_q, fresh_q} <= {fresh_q, 1'b0};
    end
  end
  always_ff @(posedge clk_i) begin
    at_last_q <= step_q == last_step_of(log_w_i);
    last_q <= chain_q == last_chain_of(n24_i, log_w_i);
    nears_q <= chain_q == last_digit_but_one_of(n24_i, log_w_i);
    if (!rst_ni || start_i) begin
      {steps_q, passes_q, uses_q, chain_q, out_q, all_q, ends_q} <= '0;
    end else begin
      steps_q  <= begins ? steps_i != '0 : steps_q && !whole;
      passes_q <= begins ? steps_i == '0 : passes_q && !passed;
      uses_q   <= begins || (uses_q && !value_empty_i);
      if (whole || passed) begin
        chain_q <= chain_q + 9'd1;
        all_q   <= last_q;
        ends_q  <= nears_q;
      end
      if (whole) out_q <= words;
      else if (push_digest_o) out_q <= out_q - 4'd1;
    end
  end
endmodule

`default_nettype wire
