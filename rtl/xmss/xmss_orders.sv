// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Tells the other modules what to do in a state of xmss_sequencer.
module xmss_orders
  import xmss_pkg::*;
  import xmss_control_pkg::*;
(
    input wire state_e state_i,
    input wire absorbing_i,  // the ends of the chains are hashed, not the message
    input wire last_i,  // the block that is hashed is the last one
    input wire finished_i,  // chains and nodes
    input wire offer_t offer_i,
    input wire work_t work_i,
    input wire kind_t kind_i,
    input wire climb_t climb_i,
    input wire item_valid_i,
    input wire item_hash_i,  // the value is to be hashed
    output logic item_ready_o,
    input wire block_valid_i,
    output logic block_ready_o,
    input wire done_i,  // a hash has ended
    input wire side_there_i,
    output logic side_ready_o,  // a node can be hashed
    output logic hash_o,  // a hash begins
    output events_t events_o,
    output phase_t phase_o,
    output chains_t chains_o,
    output logic sends_signature_o,
    output logic sends_leaf_o
);
  wire unused = &{offer_i.accept, offer_i.go, offer_i.judges, offer_i.first, work_i.prepares, work_i.yields};

  // The last block of the message, and of the ends of the chains.
  logic hashed, message_hashed, ends_hashed;
  assign hashed = state_i == StBlockRaw && done_i && last_i;
  assign message_hashed = hashed && !absorbing_i;
  assign ends_hashed = hashed && absorbing_i;

  // The node above follows where the one beside it has come.
  logic leaf_done, node_done, alone;
  assign leaf_done = state_i == StLeaf && done_i;
  assign node_done = state_i == StNode2 && done_i;
  assign alone = work_i.leaf && climb_i.alone;
  assign side_ready_o = state_i == StSide && side_there_i;

  assign events_o = '{
          another: state_i == StKeep,
          node: node_done,
          item: state_i == StItem && item_valid_i,
          item_hashed: state_i == StItemRaw && done_i,
          head: state_i == StHead && item_valid_i,
          block: block_ready_o && block_valid_i
      };

  // Values and blocks of the stream.
  logic key_ready;
  assign key_ready = (state_i == StItem && !item_hash_i) || events_o.item_hashed;
  assign item_ready_o = work_i.loads ? key_ready : events_o.head;
  assign block_ready_o = state_i == StBlock || (state_i == StBlockRaw && done_i && !last_i);

  // A hash begins with what has come, or follows the one that ends.
  logic begins, follows;
  assign begins = offer_i.hashes || (events_o.item && item_hash_i) || (events_o.head && !kind_i.plain) || events_o.block || side_ready_o;
  always_comb begin
    unique case (state_i)
      StRandom: follows = done_i && !kind_i.plain;
      StRandom2, StNode1: follows = done_i;
      StHead1: follows = done_i && !kind_i.n24;
      default: follows = ends_hashed;
    endcase
  end
  assign hash_o = begins || follows;

  logic of_message;
  assign of_message = state_i inside {StRandom, StRandom2, StHead, StHead1, StHead2, StBlock, StBlockRaw};
  assign phase_o = '{
          hashing: of_message && !absorbing_i,
          absorbing: absorbing_i,
          derive: kind_i.plain && state_i inside {StIdle, StRandom},
          path: !alone
      };
  assign chains_o = '{
          start: message_hashed || offer_i.leaves || offer_i.fills,
          absorb: kind_i.lms && ((message_hashed && work_i.verifies) || offer_i.leaves)
      };

  // Output: a signature's values, or the node that was asked for.
  logic given;
  assign given = (state_i == StWork && finished_i) || (leaf_done && climb_i.alone) || (node_done && climb_i.ends);
  assign sends_signature_o = message_hashed && work_i.signs && !offer_i.leaves;
  assign sends_leaf_o = given && work_i.leaf && climb_i.top;
endmodule

`default_nettype wire
