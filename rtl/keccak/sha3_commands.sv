// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Commands of the SHA-3 unit. One goes to the place of its tag; one with long data only to that
// behind the entry.
`default_nettype none

module sha3_commands
  import sha3_pkg::*;
(
    input wire clk_i,
    input wire wipe_i,
    input wire valid_i,
    output logic ready_o,
    input wire op_e op_i,
    input wire tag_t tag_i,
    input wire [255:0] data_i,
    input wire tag_t entry_i,  // whose slot passes the entry
    input wire [3:0] idle_i,  // the places whose tags are idle
    output logic clear_o,  // OpClear is taken
    output logic [3:0] load_o,  // a command is taken for the slot at a place
    output logic chain_o,  // OpChain is
    output logic [Tags-1:0] opens_o,  // a command is taken for a tag
    output logic [255:0] prefix_o  // of all chains
);

  logic long, takes_prefix;
  logic [1:0] place;
  logic [3:0] offered;
  assign clear_o = valid_i && op_i == OpClear && !wipe_i;
  assign place = tag_i - entry_i;
  assign long = op_i == OpPrefix || op_i == OpChain;
  assign offered = {!long, !long, 1'b1, !long} & {4{valid_i && !wipe_i && op_i != OpClear}};
  assign ready_o = !wipe_i && (op_i == OpClear || (idle_i[place] && (!long || place == 2'(Passed))));

  always_comb begin
    for (int unsigned p = 0; p < Tags; p++) load_o[p] = idle_i[p] && offered[p] && place == 2'(p);
    for (int unsigned t = 0; t < Tags; t++) begin
      opens_o[t] = idle_i[2'(t)-entry_i] && offered[2'(t)-entry_i] && tag_i == 2'(t);
    end
  end
  // The walk may take a chain that is for another tag, since nothing reads that of an idle tag.
  assign chain_o = idle_i[Passed] && offered[Passed] && op_i == OpChain;

  assign takes_prefix = load_o[Passed] && op_i == OpPrefix;
  always_ff @(posedge clk_i) begin
    prefix_o <= (data_i & {256{takes_prefix}}) | (prefix_o & {256{!takes_prefix && !wipe_i}});
  end

endmodule

`default_nettype wire
