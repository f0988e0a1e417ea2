// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The state of every value: which chains have their first value, which wait, which are at their
// end, which nodes are there. Offers the chain with the longest way to the end, and retires those
// that have no steps. A chain is offered for `most_i` steps at most and waits again when those have
// come back, so that all chains end together.
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
    input wire n24_i,
    input wire octets_i,
    input wire slot_t len_i,
    input wire in_order_i,  // the ends are needed in their order: two of them for each compression
    input wire [7:0] most_i,
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
    output logic [7:0] chain_from_o,
    output logic [7:0] chain_steps_o,
    output logic chain_ends_o,  // with these steps it is at its end
    output logic [8:0] chain_way_o,
    output logic [8:0] chain_rest_o,  // its way behind these steps, 0 at its end
    input wire chain_taken_i,
    // Ends that are used up.
    output logic [Slots-1:0] ended_o,
    input wire [Slots-1:0] used_i
);
  logic [Len-1:0] there_q, todo_q;
  logic [Len-1:0][7:0] from_q, steps_q, digits, from, steps;
  logic [Len-1:0] of_message, is_chain;
  logic [Slots-1:0] ended_q;

  logic message, checksum, whole_q;
  xmss_digits u_digits (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i,
      .n24_i,
      .bytes_i(octets_i),
      .digest_i,
      .message_o(message),
      .checksum_o(checksum),
      .of_message_o(of_message),
      .digits_o(digits)
  );
  logic [7:0] last;
  assign last = octets_i ? 8'd255 : 8'd15;
  for (genvar i = 0; i < Len; i++) begin : gen_chain
    assign is_chain[i] = slot_t'(i) < len_i;
    assign from[i] = whole_q || !verify_i ? 8'd0 : digits[i];
    assign steps[i] = whole_q ? last : verify_i ? last - digits[i] : digits[i];
  end

  // A chain without steps ends at once.
  logic [Len-1:0] still;
  slot_t retired;
  logic retires;
  for (genvar i = 0; i < Len; i++) begin : gen_still
    assign still[i] = todo_q[i] && there_q[i] && steps_q[i] == 8'd0;
  end
  assign retires = |still;
  assign retired = lowest(Slots'(still));

  // One is offered while the longest of the others is looked for.
  logic [Len-1:0] offered, waits;
  logic longest_valid, chain_valid_q, turns;
  logic [7:0] left, limit_q;
  logic [8:0] lead, limit;
  logic [8:0] longest_way, chain_way_q;
  logic [Len-1:0][8:0] way;
  slot_t longest, chain_q;
  // Blocks that are hashed from its end on, and as many for all as make 33 of the first.
  logic [Len-1:0][5:0] behind;
  for (genvar i = 0; i < Len; i++) begin : gen_way
    assign offered[i] = chain_valid_q && chain_q == slot_t'(i);
    assign behind[i] = n24_i ? 6'(33 - (22 + 24 * i) / 64) : 6'(33 - (22 + 32 * i) / 64);
    assign way[i] = {1'b0, steps_q[i]} + (in_order_i ? {3'd0, behind[i]} : 9'd0);
  end
  assign waits = todo_q & there_q & ~still & ~offered;
  assign turns = chain_taken_i || !chain_valid_q || (longest_valid && longest_way > chain_way_q);
  xmss_longest u_longest (
      .waits_i(waits),
      .way_i  (way),
      .valid_o(longest_valid),
      .way_o  (longest_way),
      .chain_o(longest)
  );
  assign chain_valid_o = chain_valid_q;
  assign chain_o = chain_q;
  assign chain_from_o = from_q[chain_q];
  assign left = steps_q[chain_q];
  assign lead = chain_way_q > longest_way ? chain_way_q - longest_way : '0;
  assign limit = lead + {1'b0, most_i};
  assign chain_ends_o = left <= limit_q;
  assign chain_steps_o = chain_ends_o ? left : limit_q;
  assign chain_way_o = chain_way_q;
  assign chain_rest_o = chain_ends_o ? '0 : chain_way_q - {1'b0, limit_q};
  assign ended_o = ended_q;

  for (genvar i = 0; i < Len; i++) begin : gen_steps
    always_ff @(posedge clk_i) begin
      if ((of_message[i] ? message : checksum) || !rst_ni) begin
        from_q[i]  <= from[i];
        steps_q[i] <= steps[i];
      end
      if (chain_taken_i && chain_q == slot_t'(i)) begin
        from_q[i]  <= from_q[i] + chain_steps_o;
        steps_q[i] <= left - chain_steps_o;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i || !rst_ni) whole_q <= whole_i;
    limit_q <= turns ? most_i : !longest_valid || limit[8] ? 8'd255 : limit[7:0];
    if (turns) begin
      chain_q <= longest;
      chain_way_q <= longest_way;
    end
  end

  always_ff @(posedge clk_i) begin
    if (came_i && came_slot_i < slot_t'(Len)) there_q[came_slot_i] <= 1'b1;
    if (message) todo_q <= of_message;
    if (checksum) todo_q <= todo_q | (is_chain & ~of_message);
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
