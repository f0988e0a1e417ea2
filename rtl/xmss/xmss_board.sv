// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The state of every value: which chains have their first value, which wait, which are at their
// end, which nodes are there. Offers the chain with the longest way to the end, and retires those
// that have no steps. A chain is offered for `most_i` steps at most and waits again when those have
// come back, so that all chains end together.
module xmss_board
  import sha256_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit NARROW = 0  // sets whose chains come in windows
) (
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
    input wire fills_i,  // `most_i` at a time, however long the others wait
    input wire reads_i,  // chains end at once: their values are in the table
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
    input wire chain_taken_i,  // the one that was offered in the last cycle
    output logic todo_o,  // there are chains that are not under way to their ends
    // The steps of a chain that has not begun.
    input wire slot_t digit_slot_i,
    output logic [3:0] digit_o,
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
    assign still[i] = todo_q[i] && there_q[i] && (steps_q[i] == 8'd0 || reads_i);
  end
  xmss_lowest #(
      .COUNT(Len)
  ) u_retired (
      .bits_i  (still),
      .some_o  (retires),
      .lowest_o(retired)
  );

  // One is offered while the longest of the others is looked for. The offer stands a cycle before
  // a lane takes it: then it is no more the present one where that has been replaced since.
  logic [Len-1:0] offered, waits;
  logic longest_valid, chain_valid_q, known, loads, consumed, replaced_q;
  logic [1:0] stale_q;
  logic [7:0] limit_q, left_q, from_now_q, longest_left;
  logic [8:0] lead, limit;
  logic in_order_q, order_n24_q, order_n32_q;
  logic [8:0] longest_way, chain_way_q;
  logic [Len-1:0][8:0] way;
  slot_t longest, chain_q;
  // The blocks that count behind a chain. Each bit comes from one register, so nothing is chosen on
  // the way to the search.
  function automatic logic [8:0] behind(slot_t chain);
    logic [5:0] n24, n32;
    n24 = blocks_behind(1'b1, chain);
    n32 = blocks_behind(1'b0, chain);
    return {3'd0, (n24 & n32 & {6{in_order_q}}) | (n24 & ~n32 & {6{order_n24_q}}) | (n32 & ~n24 & {6{order_n32_q}})};
  endfunction
  for (genvar i = 0; i < Len; i++) begin : gen_way
    assign offered[i] = chain_valid_q && chain_q == slot_t'(i);
    assign way[i] = {1'b0, steps_q[i]} + behind(slot_t'(i));
  end
  assign waits = todo_q & there_q & ~still & ~offered;
  xmss_longest u_longest (
      .clk_i,
      .waits_i(waits),
      .way_i  (way),
      .valid_o(longest_valid),
      .way_o  (longest_way),
      .chain_o(longest)
  );

  // The search tells what waited three cycles before. Until then it may name the chain that is
  // offered, or one that was taken after another had replaced it.
  logic longer, open;
  assign known = stale_q == '0 && longest_valid;
  assign consumed = chain_taken_i && !replaced_q;
  assign open = consumed || !chain_valid_q;
  assign longer = longest_way > chain_way_q;
  assign loads = known && (open || longer);
  assign longest_left = 8'(longest_way - behind(longest));

  assign chain_valid_o = chain_valid_q && !clear_i;
  assign chain_o = chain_q;
  assign chain_from_o = from_now_q;
  assign lead = longer ? '0 : chain_way_q - longest_way;
  assign limit = lead + {1'b0, most_i};
  assign chain_ends_o = left_q <= limit_q;
  assign chain_steps_o = chain_ends_o ? left_q : limit_q;
  assign chain_way_o = chain_way_q;
  assign chain_rest_o = chain_ends_o ? '0 : chain_way_q - {1'b0, limit_q};
  assign ended_o = ended_q;
  assign todo_o = todo_q != '0;
  assign digit_o = steps_q[digit_slot_i][3:0];

  // The offer of the last cycle, as its chain is when it has been taken.
  logic  shown_ends_q;
  slot_t shown_q;
  logic [7:0] shown_from_q, shown_left_q;
  for (genvar i = 0; i < Len; i++) begin : gen_steps
    always_ff @(posedge clk_i) begin
      if ((of_message[i] ? message : checksum) || !rst_ni) begin
        from_q[i]  <= from[i];
        steps_q[i] <= steps[i];
      end
      if (chain_taken_i && shown_q == slot_t'(i)) begin
        from_q[i]  <= shown_from_q;
        steps_q[i] <= shown_left_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i || !rst_ni) whole_q <= whole_i;
    in_order_q <= in_order_i;
    order_n24_q <= in_order_i && n24_i;
    order_n32_q <= in_order_i && !n24_i;
    shown_q <= chain_q;
    shown_ends_q <= chain_ends_o;
    shown_from_q <= from_now_q + chain_steps_o;
    shown_left_q <= left_q - chain_steps_o;
    if (loads || stale_q != '0 || fills_i) limit_q <= most_i;
    else limit_q <= !longest_valid || limit[8] ? 8'd255 : limit[7:0];
    if (loads || !rst_ni) begin
      chain_q <= longest;
      chain_way_q <= longest_way;
      from_now_q <= from_q[longest];
      left_q <= longest_left;
    end
  end

  always_ff @(posedge clk_i) begin
    replaced_q <= loads;
    if (stale_q != '0) stale_q <= stale_q - 2'd1;
    if (loads || (chain_taken_i && replaced_q)) stale_q <= 2'd3;
    if (open) chain_valid_q <= 1'b0;
    if (loads) chain_valid_q <= 1'b1;
    if (clear_i || !rst_ni) begin
      replaced_q <= 1'b0;
      stale_q <= 2'd3;
      chain_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (came_i && came_slot_i < slot_t'(Len)) there_q[came_slot_i] <= 1'b1;
    if (message) todo_q <= NARROW ? of_message & is_chain : of_message;
    if (checksum) todo_q <= todo_q | (is_chain & ~of_message);
    if (chain_taken_i) begin
      if (shown_ends_q) todo_q[shown_q] <= 1'b0;
      else there_q[shown_q] <= 1'b0;
    end
    if (retires) todo_q[retired] <= 1'b0;
    ended_q <= ended_q & ~used_i;
    if (retires) ended_q[retired] <= 1'b1;
    if (finished_i) ended_q[finished_slot_i] <= 1'b1;
    if (came_i && came_slot_i >= slot_t'(Len)) ended_q[came_slot_i] <= 1'b1;
    if (forget_i || !rst_ni) there_q <= '0;
    if (clear_i || !rst_ni) begin
      todo_q  <= '0;
      ended_q <= '0;
    end
  end
endmodule

`default_nettype wire
