// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Takes commands: checks them, hashes keys and messages, and starts the work of the lanes.
//
// XMSS has its message hashed here. LMS (RFC 8554) also has its one-time public key, its leaf and
// its path hashed here, block by block.
// With SHAKE a key has no midstates, and xmss_shake_message builds the first block of a message.
module xmss_control
  import sha256_pkg::*;
  import xmss_pkg::*;
  import xmss_control_pkg::*;
#(
    parameter bit SHAKE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire command_t cmd_i,
    output command_t cmd_o,  // a cycle later, when it starts
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output answer_t rsp_o,
    // The stream.
    input wire stream_t stream_i,
    input wire item_valid_i,
    output logic item_ready_o,
    input wire item_t item_i,
    input wire block_valid_i,
    output logic block_ready_o,
    input wire message_block_t block_i,
    // Hashes of its own, and nodes.
    output logic hash_o,
    output raw_t raw_o,
    input wire done_i,  // a hash has ended
    input wire state_t hash_i,
    output slot_t side_o,  // the node beside the path
    input wire side_there_i,  // its value is read
    input wire state_t root_i,  // slot 0, or that of `side_o`
    output kept_t kept_o,
    // The other modules.
    output starts_t starts_o,
    output chains_t chains_o,
    output phase_t phase_o,
    output scope_t scope_o,
    output values_t values_o,
    output sends_t sends_o,
    output logic stop_o,
    output logic open_o,  // the command in work may put values out
    input wire wiping_i,
    output logic erase_o,
    input wire erasing_i,
    input wire work_done_i,  // nothing is under way and nothing waits
    input wire tree_done_i,
    input wire out_done_i
);
  offer_t offer;
  work_t work;
  kind_t kind;
  set_t set;
  state_e state;
  events_t events;
  place_t place;
  climb_t climb;
  state_t node;
  slot_t keep;
  logic [31:0] leaf, index;
  logic [4:0] node_height, tree_height, height;
  logic load, is_public, prepared, item_last, item_hash, same, absorbing, last, finished, side_ready, sure;

  assign kept_o  = '{valid: events.another, slot: keep, value: node};
  assign scope_o = '{set: set, index: index, height: height};
  // A signature while its index is the one that is used up, a leaf, a node, and no other command.
  assign open_o  = work.leaf || (work.signs && sure);

  xmss_command #(
      .SHAKE(SHAKE)
  ) u_command (
      .clk_i,
      .rst_ni,
      .valid_i(cmd_valid_i),
      .idle_i(state == StIdle),
      .ready_o(cmd_ready_o),
      .cmd_i,
      .cmd_o,
      .key_done_i(events.item && item_last),
      .prepared_i(prepared),
      .answers_i(rsp_valid_o),
      .erasing_i,
      .another_i(events.another),
      .index_i(place.index),
      .offer_o(offer),
      .starts_o,
      .leaf_o(leaf),
      .node_height_o(node_height),
      .load_o(load),
      .work_o(work),
      .sure_o(sure),
      .kind_o(kind),
      .public_o(is_public),
      .height_o(tree_height),
      .set_o(set),
      .erase_o
  );

  xmss_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .cmd_valid_i,
      .offer_i(offer),
      .work_i(work),
      .sure_i(sure),
      .kind_i(kind),
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_o,
      .stream_i,
      .item_valid_i,
      .item_last_i(item_last),
      .item_hash_i(item_hash),
      .block_valid_i,
      .block_take_i(events.block),
      .block_last_i(block_i.last),
      .done_i,
      .climb_i(climb),
      .side_ready_i(side_ready),
      .same_i(same),
      .wiping_i,
      .work_done_i,
      .tree_done_i,
      .out_done_i,
      .state_o(state),
      .absorbing_o(absorbing),
      .last_o(last),
      .finished_o(finished),
      .prepared_o(prepared),
      .stop_o
  );

  xmss_orders u_orders (
      .state_i(state),
      .absorbing_i(absorbing),
      .last_i(last),
      .finished_i(finished),
      .offer_i(offer),
      .work_i(work),
      .kind_i(kind),
      .climb_i(climb),
      .item_valid_i,
      .item_hash_i(item_hash),
      .item_ready_o,
      .block_valid_i,
      .block_ready_o,
      .done_i,
      .side_there_i,
      .side_ready_o(side_ready),
      .hash_o,
      .events_o(events),
      .phase_o,
      .chains_o,
      .sends_signature_o(sends_o.sign),
      .sends_leaf_o(sends_o.leaf)
  );

  // The memories are wiped, and what is held here with them.
  logic holds_n;
  assign holds_n = rst_ni && !wiping_i;
  xmss_position u_position (
      .clk_i,
      .rst_ni(holds_n),
      .go_i(offer.go),
      .leaf_i(leaf),
      .node_height_i(node_height),
      .another_i(events.another),
      .node_i(events.node),
      .is_leaf_i(work.leaf),
      .lms_i(kind.lms),
      .tree_height_i(tree_height),
      .index_o(index),
      .height_o(height),
      .place_o(place),
      .climb_o(climb),
      .side_o,
      .keep_o(keep)
  );

  xmss_hash_input u_hash_input (
      .clk_i,
      .rst_ni(holds_n),
      .load_i(load),
      .public_i(is_public),
      .kind_i(kind),
      .state_i(state),
      .absorbing_i(absorbing),
      .events_i(events),
      .place_i(place),
      .item_i,
      .block_first_i(block_i.first),
      .block_i(block_i.words),
      .done_i,
      .hash_i,
      .root_i,
      .item_last_o(item_last),
      .item_hash_o(item_hash),
      .raw_o,
      .values_o,
      .r_o(sends_o.r),
      .node_o(node),
      .same_o(same)
  );
endmodule

`default_nettype wire
