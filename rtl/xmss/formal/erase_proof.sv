// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A table of chain values is erased: where the signature behind it is answered, good or refused,
// the memories are overwritten, no command is taken meanwhile, and at the end no word is left of
// what was there. One word of each memory is looked at, whichever it is.
//
// The engine promises: a command is taken when none is in work, and nothing is answered while all
// is wiped.
`default_nettype none

module erase_proof
  import sha256_pkg::*;
  import xmss_pkg::*;
  import xmss_control_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire idle_i,
    input wire command_t cmd_i,
    input wire key_done_i,
    input wire prepared_i,
    input wire answers_i,
    input wire another_i,
    input wire [31:0] index_i,
    input wire zeroize_i,
    input wire value_write_i,
    input wire slot_t value_slot_i,
    input wire state_t value_i,
    input wire row_write_i,
    input wire node_write_i,
    input wire [1:0] part_i,
    input wire [9:0] place_i,
    input wire state_t part_value_i,
    input wire [9:0] at_i,  // the word that is looked at
    output logic differs_o
);
  starts_t starts;
  command_t cmd;
  offer_t offer;
  work_t work;
  kind_t kind;
  set_t set;
  logic answers, ready, load, is_public, erase, wiping, erasing, wipe;
  logic [31:0] leaf;
  logic [4:0] node_height, height;
  stored_words_t words;
  assign wipe = starts.wipe || zeroize_i;
  assign answers = answers_i && !wiping && !starts.start;
  xmss_command u_command (
      .clk_i,
      .rst_ni(rst_ni && !zeroize_i),
      .valid_i,
      .idle_i(idle_i && !answers),
      .ready_o(ready),
      .cmd_i,
      .cmd_o(cmd),
      .key_done_i,
      .prepared_i,
      .answers_i(answers),
      .erasing_i(erasing),
      .another_i,
      .index_i,
      .offer_o(offer),
      .starts_o(starts),
      .leaf_o(leaf),
      .node_height_o(node_height),
      .load_o(load),
      .work_o(work),
      .sure_o(),
      .kind_o(kind),
      .public_o(is_public),
      .height_o(height),
      .set_o(set),
      .erase_o(erase)
  );
  xmss_store u_store (
      .clk_i,
      .rst_ni,
      .wipe_i(wipe),
      .wiping_o(wiping),
      .erase_i(erase),
      .erasing_o(erasing),
      .value_write_i,
      .value_slot_i,
      .value_i,
      .left_slot_i('0),
      .right_slot_i('0),
      .row_write_i,
      .node_write_i,
      .part_i,
      .index_i(place_i),
      .part_value_i,
      .row_i('0),
      .node_i('0),
      .words_o(words)
  );
  wire unused = &{cmd, offer, work, kind, set, load, is_public, leaf, node_height, height, wiping, words};

  // The table, as commands make it, and the one that is answered.
  logic tabled_q, signs_q, erasing_q, ended_q;
  logic [9:0] at_q;
  always_ff @(posedge clk_i) begin
    if (starts.start) signs_q <= cmd.op == CmdSign;
    if (starts.start && !starts.refuse && cmd.op == CmdPrepare && cmd.chain_table) tabled_q <= 1'b1;
    if (answers && signs_q) tabled_q <= 1'b0;
    if (!rst_ni || wipe) {tabled_q, signs_q} <= '0;
    // Whichever word, but the same one throughout.
    if (!erasing) at_q <= at_i;
    erasing_q <= rst_ni && !wipe && answers && signs_q && tabled_q;
    ended_q   <= rst_ni && !wipe && erasing;
  end

  // The word there is other than zero.
  logic [5:0] left_q, writes;
  logic [9:0] value_at, row_at, node_at;
  assign value_at = {3'd0, u_store.u_memories.value_slot_i};
  assign row_at = u_store.u_memories.row_i;
  assign node_at = {3'd0, u_store.u_memories.node_i};
  assign writes[0] = u_store.u_memories.value_write_i && value_at == {3'd0, at_q[6:0]};
  for (genvar i = 0; i < 2; i++) begin : gen_row
    assign writes[1+i] = u_store.u_memories.row_write_i[i] && row_at == at_q;
  end
  for (genvar i = 0; i < 3; i++) begin : gen_node
    assign writes[3+i] = u_store.u_memories.node_write_i[i] && node_at == {3'd0, at_q[6:0]};
  end
  always_ff @(posedge clk_i) begin
    if (writes[0]) left_q[0] <= u_store.u_memories.value_i != '0;
    for (int i = 1; i < 6; i++) if (writes[i]) left_q[i] <= u_store.u_memories.part_i != '0;
    // Before the erasing it may be anything.
    if (!erasing) left_q <= '1;
  end

  // The claims.
  logic stays, taken, kept;
  assign kept  = erasing_q && !erasing;
  assign taken = erasing && ready;
  assign stays = ended_q && !erasing && left_q != '0;

  // The invariants that hold it together from cycle to cycle.
  logic off;
  always_comb begin
    off = tabled_q != u_command.tabled_q || signs_q != work.signs;
    if (erasing && starts.start) off = 1'b1;
    if (wiping ? erasing : !erasing && u_store.wipe_q != '0) off = 1'b1;
    if (erasing && u_store.wipe_q > at_q && left_q != '0) off = 1'b1;
    if (erasing && u_store.wipe_q > {3'd0, at_q[6:0]} && {left_q[5:3], left_q[0]} != '0) off = 1'b1;
  end
  assign differs_o = kept || taken || stays || off;
endmodule

`default_nettype wire
