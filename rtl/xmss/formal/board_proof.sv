// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The scheduler of the chains, whatever the digests and however long its lanes take: it starts no
// chain that is under way or at its end, and none beyond its last step. Reset may come at any time,
// and so may a command that clears it.
//
// A chain that is offered can be taken in the next cycle, and no other one then.
//
// The engine promises: set and chains change with a command only, digits are made when no
// chain is left of those before, and a value comes of a chain that is under way, or is its first
// one. With NARROW the number of chains changes with a window too, and first values are forgotten
// then, when no chain is left.
`default_nettype none

module board_proof
  import sha256_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit READS  = 1,  // commands may read their values from a table
    parameter bit NARROW = 0   // sets whose chains come in windows
) (
    input wire clk_i,
    input wire rst_ni,
    input wire clear_i,
    input wire forget_i,
    input wire start_i,
    input wire whole_i,
    input wire n24_i,
    input wire octets_i,
    input wire slot_t len_i,
    input wire in_order_i,
    input wire [7:0] most_i,
    input wire fills_i,
    input wire reads_i,
    input wire verify_i,
    input wire state_t digest_i,
    input wire came_i,
    input wire slot_t came_slot_i,
    input wire finished_i,
    input wire slot_t finished_slot_i,
    input wire taken_i,
    input wire [Slots-1:0] used_i,
    output logic differs_o
);
  // Set and chains, from command to command.
  typedef struct packed {
    logic  n24, octets, verify, in_order, fills, reads;
    slot_t len;
  } kind_t;
  kind_t kind, kind_q;
  logic forgets;
  always_comb begin
    kind = clear_i ? '{n24_i, octets_i, verify_i, in_order_i, fills_i, READS && reads_i, len_i} : kind_q;
    if (forgets && !clear_i) kind.len = len_i;
  end

  // Chains that are under way, and those that have been started up to their ends.
  logic [Slots-1:0] busy_q, over_q;
  logic none, start, came, finished, taken, valid, ends;
  slot_t chain;
  logic [7:0] from, steps;
  assign none = u_board.todo_q == '0 && busy_q == '0 && !u_board.u_digits.busy_q;
  assign start = start_i && none && !clear_i;
  assign forgets = forget_i && (clear_i || (NARROW && none));
  assign came = came_i && came_slot_i < slot_t'(Len) && !over_q[came_slot_i] && (busy_q[came_slot_i] || !u_board.there_q[came_slot_i]);
  assign finished = finished_i && busy_q[finished_slot_i] && over_q[finished_slot_i];
  // An offer can be taken in the cycle after it, once.
  logic offer_q, offer_ends_q;
  slot_t offer_chain_q;
  logic [7:0] offer_from_q, offer_steps_q;
  assign taken = taken_i && offer_q;
  always_ff @(posedge clk_i) begin
    offer_q <= valid && !taken && rst_ni;
    {offer_chain_q, offer_from_q, offer_steps_q, offer_ends_q} <= {chain, from, steps, ends};
  end

  xmss_board #(
      .NARROW(NARROW)
  ) u_board (
      .clk_i,
      .rst_ni,
      .clear_i,
      .forget_i(forgets),
      .start_i(start),
      .whole_i,
      .n24_i(kind.n24),
      .octets_i(kind.octets),
      .len_i(kind.len),
      .in_order_i(kind.in_order),
      .most_i(most_i == '0 ? 8'd1 : most_i),
      .fills_i(kind.fills),
      .reads_i(kind.reads),
      .verify_i(kind.verify),
      .digest_i,
      .came_i(came),
      .came_slot_i,
      .finished_i(finished),
      .finished_slot_i,
      .chain_valid_o(valid),
      .chain_o(chain),
      .chain_from_o(from),
      .chain_steps_o(steps),
      .chain_ends_o(ends),
      .chain_way_o(),
      .chain_rest_o(),
      .chain_taken_i(taken),
      .todo_o(),
      .digit_slot_i('0),
      .digit_o(),
      .ended_o(),
      .used_i
  );

  always_ff @(posedge clk_i) begin
    kind_q <= kind;
    if (came) busy_q[came_slot_i] <= 1'b0;
    if (finished) busy_q[finished_slot_i] <= 1'b0;
    if (taken) begin
      busy_q[offer_chain_q] <= 1'b1;
      over_q[offer_chain_q] <= offer_ends_q;
    end
    if (start) over_q <= '0;
    if (clear_i || !rst_ni) {busy_q, over_q} <= '0;
  end

  // The claims.
  logic twice, beyond;
  logic [7:0] last;
  assign last   = kind_q.octets ? 8'd255 : 8'd15;
  assign twice  = offer_q && (busy_q[offer_chain_q] || over_q[offer_chain_q]);
  assign beyond = offer_q && {1'b0, offer_from_q} + {1'b0, offer_steps_q} > {1'b0, last};

  // The invariants that hold it together from cycle to cycle.
  logic [Len-1:0] todo, there, off;
  assign todo  = u_board.todo_q;
  assign there = u_board.there_q;
  for (genvar i = 0; i < Len; i++) begin : gen_chain
    assign off[i] = (busy_q[i] && !over_q[i] && there[i]) || (over_q[i] && todo[i]) ||
        (todo[i] && {1'b0, u_board.from_q[i]} + {1'b0, u_board.steps_q[i]} > {1'b0, last});
  end
  // The chain that is looked at next, the offer, and that the search names none of them.
  logic [Len-1:0] waits, named;
  logic [127:0] ranks_off;
  logic next_off, offer_off, search_off, digits_off, candidate;
  slot_t next;
  assign candidate = u_board.chain_valid_q;
  assign next = u_board.chain_q;
  for (genvar i = 0; i < Len; i++) begin : gen_waits
    assign waits[i] = todo[i] && there[i] && u_board.steps_q[i] != '0 && !kind_q.reads;
    assign named[i] = candidate && next == slot_t'(i);
  end
  assign next_off = (u_board.replaced_q && u_board.stale_q != 2'd3) || (candidate && !(next < slot_t'(Len) && waits[next] && u_board.left_q == u_board.steps_q[next] &&
      u_board.from_now_q == u_board.from_q[next]));
  always_comb begin
    offer_off = u_board.replaced_q ? !candidate || next == offer_chain_q : !candidate || next != offer_chain_q;
    if (!(offer_chain_q < slot_t'(Len) && waits[offer_chain_q])) offer_off = 1'b1;
    if (offer_from_q != u_board.from_q[offer_chain_q]) offer_off = 1'b1;
    if (offer_steps_q > u_board.steps_q[offer_chain_q]) offer_off = 1'b1;
    if (offer_ends_q != (offer_steps_q == u_board.steps_q[offer_chain_q])) offer_off = 1'b1;
    if (u_board.shown_q != offer_chain_q || u_board.shown_ends_q != offer_ends_q) offer_off = 1'b1;
    if (u_board.shown_from_q != offer_from_q + offer_steps_q) offer_off = 1'b1;
    if (u_board.shown_left_q != u_board.steps_q[offer_chain_q] - offer_steps_q) offer_off = 1'b1;
    if (!offer_q) offer_off = 1'b0;
  end
  for (genvar i = 0; i < 128; i++) begin : gen_rank
    // The first rank has a register for four chains each, the second for sixteen, the last for all.
    localparam int unsigned Rank = i == 1 ? 3 : i >= 32 ? 1 : 2;
    localparam int unsigned Bits = Rank == 1 ? 2 : Rank == 2 ? 4 : 7;
    if (i inside {1, [8 : 12], [32 : 48]}) begin : gen_register
      logic [9:0] key;
      slot_t own;
      assign {key, own} = u_board.u_longest.entry[i];
      assign ranks_off[i] = key[9] && {30'd0, u_board.stale_q} <= 3 - Rank && !(own < slot_t'(Len) && (Rank == 3 || own >> Bits == slot_t'(i) - slot_t'(1 << (7 - Bits))) &&
          waits[own] && !named[own] && key[8:0] == u_board.way[own]);
    end else begin : gen_none
      assign ranks_off[i] = 1'b0;
    end
  end
  assign search_off = ranks_off != '0;
  // The blocks behind a chain are those of the set.
  logic order_off;
  assign order_off = u_board.in_order_q != kind_q.in_order || u_board.order_n24_q != (kind_q.in_order && kind_q.n24) ||
      u_board.order_n32_q != (kind_q.in_order && !kind_q.n24);
  assign digits_off = u_board.u_digits.busy_q && (u_board.u_digits.word_q > 4'd8 || ((todo | busy_q[Len-1:0] | over_q[Len-1:0]) & ~u_board.of_message) != '0 ||
      (u_board.u_digits.word_q == '0 && (todo != '0 || busy_q != '0 || over_q != '0)));

  assign differs_o = twice || beyond || off != '0 || next_off || offer_off || order_off || (search_off && !clear_i) || (digits_off && !clear_i);
endmodule

`default_nettype wire
