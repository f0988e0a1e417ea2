// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// What is known of every value: which chains have their first value, which wait, which are at their end, which nodes are there.
// Offers the chain with most steps left, and retires those that have none. With `single_i` a chain is offered for one step and waits
// again when that has come back, so that all chains end together.
module xmss_board
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire clear_i,  // nothing waits, nothing is at its end
    input wire forget_i,  // no chain has its first value
    // The digits: from the digest, or every chain from its start to its end.
    input wire start_i,
    input wire whole_i,
    input wire single_i,
    input wire verify_i,  // from the digit on, otherwise up to it
    input wire state_t digest_i,
    // Values that come.
    input wire came_i,
    input wire slot_t came_slot_i,
    input wire finished_i,
    input wire slot_t finished_slot_i,
    // The longest chain.
    output logic chain_valid_o,
    output slot_t chain_o,
    output logic [3:0] chain_from_o,
    output logic [3:0] chain_steps_o,
    output logic chain_ends_o,  // with these steps it is at its end
    input wire chain_taken_i,
    // Ends that are used up.
    output logic [Slots-1:0] ended_o,
    input wire [Slots-1:0] used_i
);
  logic [Len-1:0] there_q, todo_q;
  logic [Len-1:0][3:0] from_q, steps_q, digits, from, steps;
  logic [Slots-1:0] ended_q;

  logic message, checksum, whole_q;
  xmss_digits u_digits (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i,
      .digest_i,
      .message_o (message),
      .checksum_o(checksum),
      .digits_o  (digits)
  );
  for (genvar i = 0; i < Len; i++) begin : gen_chain
    assign from[i]  = whole_q || !verify_i ? 4'd0 : digits[i];
    assign steps[i] = whole_q ? 4'd15 : verify_i ? 4'd15 - digits[i] : digits[i];
  end

  // A chain without steps ends at once.
  logic [Len-1:0] still;
  slot_t retired;
  logic retires;
  for (genvar i = 0; i < Len; i++) begin : gen_still
    assign still[i] = todo_q[i] && there_q[i] && steps_q[i] == 4'd0;
  end
  assign retires = |still;
  assign retired = lowest(Slots'(still));

  // One is offered while the longest of the others is looked for.
  logic [Len-1:0] offered, waits;
  logic longest_valid, chain_valid_q, turns;
  logic [3:0] longest_steps, chain_steps_q;
  slot_t longest, chain_q;
  always_comb begin
    offered = '0;
    offered[chain_q] = chain_valid_q;
  end
  assign waits = todo_q & there_q & ~still & ~offered;
  assign turns = chain_taken_i || !chain_valid_q || (longest_valid && longest_steps > chain_steps_q);
  xmss_longest u_longest (
      .waits_i(waits),
      .steps_i(steps_q),
      .valid_o(longest_valid),
      .steps_o(longest_steps),
      .chain_o(longest)
  );
  assign chain_valid_o = chain_valid_q;
  assign chain_o = chain_q;
  assign chain_from_o = from_q[chain_q];
  assign chain_ends_o = !single_i || chain_steps_q == 4'd1;
  assign chain_steps_o = single_i ? 4'd1 : chain_steps_q;
  assign ended_o = ended_q;

  always_ff @(posedge clk_i) begin
    if (start_i) whole_q <= whole_i;
    for (int unsigned i = 0; i < Len; i++) begin
      if (i < 64 ? message : checksum) begin
        from_q[i]  <= from[i];
        steps_q[i] <= steps[i];
      end
    end
    if (chain_taken_i) begin
      from_q[chain_q]  <= from_q[chain_q] + 4'd1;
      steps_q[chain_q] <= chain_steps_q - 4'd1;
    end
    if (turns) begin
      chain_q <= longest;
      chain_steps_q <= longest_steps;
    end
  end

  always_ff @(posedge clk_i) begin
    if (came_i && came_slot_i < slot_t'(Len)) there_q[came_slot_i] <= 1'b1;
    if (message) todo_q[63:0] <= '1;
    if (checksum) todo_q[Len-1:64] <= '1;
    if (chain_taken_i) begin
      if (chain_ends_o) todo_q[chain_q] <= 1'b0;
      else there_q[chain_q] <= 1'b0;
    end
    if (retires) todo_q[retired] <= 1'b0;
    ended_q <= ended_q & ~used_i;
    if (retires) ended_q[retired] <= 1'b1;
    if (finished_i) ended_q[finished_slot_i] <= 1'b1;
    if (came_i && came_slot_i >= slot_t'(Len)) ended_q[came_slot_i] <= 1'b1;
    if (turns) chain_valid_q <= longest_valid;
    if (forget_i || !rst_ni) there_q <= '0;
    if (clear_i || !rst_ni) begin
      todo_q <= '0;
      ended_q <= '0;
      chain_valid_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
