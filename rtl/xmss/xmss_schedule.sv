// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The next job of a free lane: the chains, with the values that have come, and all other work.
module xmss_schedule
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter int unsigned CORES  = 4,
    parameter bit          SHAKE  = 0,
    parameter bit          NARROW = 0
) (
    input wire clk_i,
    input wire rst_ni,
    // The command in work.
    input wire stop_i,
    input wire starts_t starts_i,
    input wire digits_i,  // the digits of the message are there, or a leaf begins
    input wire phase_t phase_i,
    input wire scope_t scope_i,
    input wire window_t window_i,
    input wire slot_t len_i,
    input wire state_t digest_i,  // of the message
    input wire hash_i,  // a block is to be hashed
    output logic tree_done_o,
    output logic work_done_o,  // a cycle before nothing was under way and nothing waited
    // Values that come and go.
    input wire came_i,
    input wire slot_t came_slot_i,
    input wire kept_i,  // a node of the path comes, and its leaf's chains are over
    input wire result_t result_i,
    output logic [Slots-1:0] ended_o,
    input wire [Slots-1:0] used_i,
    input wire slot_t digit_slot_i,
    output logic [3:0] digit_o,  // of that chain of a signature
    // The job that is offered, the values and the node that it needs.
    output logic valid_o,
    output pick_t pick_o,
    output logic [8:0] way_o,  // of a chain, 0 of anything else
    output slot_t left_o,
    output slot_t right_o,
    output slot_t node_o,
    input wire taken_i
);
  logic n24, lms;
  assign n24 = scope_i.set.mode inside {XmssN24, LmsN24};
  assign lms = scope_i.set.mode[1];

  logic chain_valid, chain_taken, chain_ends;
  logic [7:0] chain_from, chain_steps;
  logic [8:0] chain_way, chain_rest;
  slot_t chain;
  logic [Slots-1:0] used_tree;
  logic waits, todo;

  // With w = 1 and 2 the board is shown the digits of a window, and it counts from 0 there.
  logic start, whole, board_n24, narrow;
  state_t digits;
  logic [7:0] from;
  pick_t pick;
  number_t ahead;  // chains in the windows before
  if (NARROW) begin : gen_narrow
    logic   narrow_start;
    state_t narrow_digits;
    xmss_string u_string (
        .clk_i,
        .rst_ni,
        .start_i(digits_i),
        .whole_i(starts_i.whole),
        .stop_i,
        .n24_i(n24),
        .verify_i(scope_i.set.verify),
        .window_i,
        .digest_i,
        .start_o(narrow_start),
        .digits_o(narrow_digits)
    );
    assign narrow = window_i.narrow;
    assign start = narrow ? narrow_start : digits_i;
    assign digits = narrow ? narrow_digits : digest_i;
    assign ahead = narrow ? {window_i.number, 6'd0} : '0;
    assign chain_from = narrow ? {6'd0, from[1] && !window_i.ones, from[0]} : from;
  end else begin : gen_wide
    assign {narrow, start, digits, ahead, chain_from} = {1'b0, digits_i, digest_i, number_t'(0), from};
  end
  assign whole = starts_i.whole && !narrow;
  assign board_n24 = n24 && !narrow;
  always_comb begin
    pick_o = pick;
    pick_o.address_5[8:0] = pick.address_5[8:0] | ahead;
  end

  xmss_board #(
      .NARROW(NARROW)
  ) u_board (
      .clk_i,
      .rst_ni,
      .clear_i(starts_i.start || stop_i),
      .forget_i((starts_i.start && !starts_i.keep) || kept_i || window_i.ends),
      .start_i(start),
      .whole_i(whole),
      .n24_i(board_n24),
      .octets_i(scope_i.set.octets && !narrow),
      .len_i,
      .in_order_i(scope_i.set.in_order),
      .most_i(scope_i.set.most),
      .fills_i(scope_i.set.fills),
      .reads_i(scope_i.set.reads),
      .verify_i(scope_i.set.verify),
      .digest_i(digits),
      .came_i,
      .came_slot_i,
      .finished_i(result_i.valid && result_i.tag.dest == DestEnd),
      .finished_slot_i(result_i.tag.index[6:0]),
      .chain_valid_o(chain_valid),
      .chain_o(chain),
      .chain_from_o(from),
      .chain_steps_o(chain_steps),
      .chain_ends_o(chain_ends),
      .chain_way_o(chain_way),
      .chain_rest_o(chain_rest),
      .chain_taken_i(chain_taken),
      .todo_o(todo),
      .digit_slot_i,
      .digit_o,
      .ended_o,
      .used_i(used_tree | used_i | Slots'(kept_i && !lms))
  );

  xmss_pick #(
      .CORES(CORES)
  ) u_pick (
      .clk_i,
      .rst_ni,
      .stop_i,
      .leaf_i(scope_i.index),
      .height_i(scope_i.height),
      .fly_i(scope_i.set.fly),
      .lms_i(lms),
      .n24_i(n24 && !SHAKE),
      .len_i,
      .raw_i(hash_i),
      .derive_i(phase_i.derive),
      .seeds_i(starts_i.seeds || (window_i.begins && !scope_i.set.verify)),
      .rows_i(starts_i.rows),
      .nodes_i(starts_i.nodes),
      .tree_i(starts_i.tree),
      .path_i(phase_i.path),
      .tree_done_o,
      .chain_valid_i(chain_valid),
      .chain_i(chain),
      .chain_from_i(chain_from),
      .chain_steps_i(chain_steps),
      .chain_ends_i(chain_ends),
      .chain_way_i(chain_way),
      .chain_rest_i(chain_rest),
      .chain_taken_o(chain_taken),
      .ended_i(ended_o),
      .used_o(used_tree),
      .node_done_i(result_i.valid && result_i.tag.dest == DestNodeRow && result_i.last),
      .node_i(result_i.tag.index[6:0]),
      .waits_o(waits),
      .valid_o,
      .pick_o(pick),
      .way_o,
      .left_o,
      .right_o,
      .node_o,
      .taken_i
  );

  logic [6:0] jobs_q;  // under way
  always_ff @(posedge clk_i) begin
    work_done_o <= rst_ni && jobs_q == '0 && !waits && !todo && !result_i.valid && !hash_i;
    if (!rst_ni) jobs_q <= '0;
    else jobs_q <= jobs_q + 7'(taken_i) - 7'(result_i.valid && result_i.last);
  end
  wire unused = &{starts_i, phase_i, scope_i, result_i, window_i};
endmodule

`default_nettype wire
