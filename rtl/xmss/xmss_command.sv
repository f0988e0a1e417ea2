// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Checks each command against the key and the set that are loaded, starts the other modules, and
// holds the command in work.
module xmss_command
  import chain_pkg::*;
  import xmss_pkg::*;
  import xmss_control_pkg::*;
#(
    parameter bit SHAKE = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire idle_i,  // no command is in work
    output logic ready_o,
    input wire command_t cmd_i,
    output command_t cmd_o,  // the one that is taken, in the cycle after
    input wire key_done_i,  // the last value of a key has come
    input wire prepared_i,  // CmdPrepare has ended
    input wire answers_i,  // an answer is shown
    input wire erasing_i,
    input wire another_i,  // the next leaf of a node begins
    input wire [31:0] index_i,  // the leaf in work
    output offer_t offer_o,
    output starts_t starts_o,
    output logic [31:0] leaf_o,  // the command's leaf
    output logic [4:0] node_height_o,  // the height of its node
    output logic load_o,  // a key begins
    output work_t work_o,
    output logic sure_o,  // the index in work is the one that was granted and is used up
    output kind_t kind_o,
    output logic public_o,  // the key in work is a public one
    output logic [4:0] height_o,  // of the tree
    output set_t set_o,
    output logic erase_o  // the table: it is for one signature
);
  command_e op_q;
  logic check_q, idle_q, fly_q, octets_q;
  logic table_q, prepared_table_q, reads_q, tabled_q;
  logic key_q, secret_key_q;
  // A tree has 2^20 leaves at most: an index that is larger is in none.
  localparam int unsigned Bits = int'(MaxHeight);
  typedef logic [Bits-1:0] index_t;
  // The index that may sign next; and the last one that may not, inverted and with a sign, from a
  // copy of its own of the command's index. A granted index lies above both, and its values go out
  // while the index in work is that of the second. So a bit that flips lets no index sign twice.
  // The prepared index is held twice too, from the index in work and from the command, and two bits
  // say that there is one.
  logic [  Bits:0] next_q;
  logic [Bits+1:0] last_inv_q;
  logic prepared_q, unprepared_q, prepared_check_q;
  index_t prepared_index_q, prepared_inv_q, asked_inv_q;
  (* fsm_encoding = "none" *) grant_e grant_q;
  logic [4:0] height_q;
  mode_e mode_q;
  logic lms;
  assign lms = mode_q[1];

  // A command that was taken starts in the next cycle.
  command_t cmd_q;
  logic taken_q, good_q, reuse_q;
  assign ready_o = idle_i && !taken_q && !erasing_i;
  assign cmd_o   = cmd_q;

  // It may run.
  logic good, set_good, in_tree, table_good, unused_index;
  assign set_good = cmd_i.height inside {[5'd1 : MaxHeight]} && (cmd_i.mode[1] || !cmd_i.octets);
  // LMS with w = 8 has 256 values in a chain, for which there is no room.
  assign table_good = !cmd_i.chain_table || !(cmd_i.check || octets_q);
  assign in_tree = (cmd_i.index >> height_q) == '0;
  // No signature has used it.
  assign unused_index = {1'b0, cmd_i.index[Bits-1:0]} >= next_q && signed'({2'b00, cmd_i.index[Bits-1:0]}) > signed'(~last_inv_q);
  always_comb begin
    unique case (cmd_i.op)
      CmdLoadKey, CmdLoadPublic: good = set_good;
      CmdPrepare: good = key_q && in_tree && table_good && (cmd_i.check || (secret_key_q && unused_index));
      CmdSign: good = secret_key_q && in_tree && unused_index;
      CmdVerify: good = key_q && in_tree;
      CmdLeaf: good = secret_key_q && in_tree;
      CmdNode: good = secret_key_q && cmd_i.height <= height_q && (cmd_i.index >> (height_q - cmd_i.height)) == '0;
      CmdClear: good = 1'b1;
      default: good = 1'b0;
    endcase
  end

  // CmdPrepare made what the command needs.
  logic reuse;
  assign reuse = {prepared_index_q, prepared_inv_q} == {cmd_i.index[Bits-1:0], ~cmd_i.index[Bits-1:0]} &&
      (cmd_i.op == CmdVerify ? prepared_check_q : cmd_i.op == CmdSign && prepared_q && !unprepared_q);

  // The right to sign is a code.
  logic accept, may, ready_made, go, fresh, loads, leaves, prepares, tabulates;
  assign accept = taken_q;
  assign may = good_q && (cmd_q.op != CmdSign || grant_q inside {GrantSign, GrantPrepared});
  assign ready_made = cmd_q.op == CmdSign ? grant_q == GrantPrepared : reuse_q;
  assign go = taken_q && may;
  assign fresh = go && !ready_made;
  assign sure_o = grant_q inside {GrantSign, GrantPrepared} && index_i[31:Bits] == '0 && {2'b11, ~index_i[Bits-1:0]} == last_inv_q;
  assign loads = accept && cmd_q.op inside {CmdLoadKey, CmdLoadPublic};
  assign leaves = another_i || (go && cmd_q.op inside {CmdLeaf, CmdNode});
  assign prepares = go && cmd_q.op == CmdPrepare;
  assign tabulates = prepares && cmd_q.chain_table;
  assign load_o = loads && good_q;

  // The leaf of a node is the first one below it.
  assign leaf_o = cmd_q.op == CmdNode ? cmd_q.index << cmd_q.height : cmd_q.index;
  assign node_height_o = cmd_q.op == CmdNode ? cmd_q.height : '0;

  // Work that starts with it. LMS has no masks and no L-tree.
  logic makes_secrets, makes_masks;
  assign makes_secrets = leaves || (fresh && cmd_q.op == CmdSign) || (prepares && !cmd_q.check);
  assign makes_masks = leaves || (fresh && cmd_q.op == CmdVerify) || (prepares && cmd_q.check);
  assign starts_o = '{
          start: accept,
          refuse: !may,
          keep: may && ready_made,
          wipe: go && cmd_q.op == CmdClear,
          seeds: makes_secrets,
          rows: prepares && !cmd_q.chain_table && !lms,
          nodes: makes_masks && !lms,
          tree: (leaves || (go && cmd_q.op == CmdVerify)) && !lms,
          whole: leaves || tabulates
      };

  state_e first;
  always_comb begin
    unique case (cmd_q.op)
      CmdLoadKey, CmdLoadPublic: first = StItem;
      CmdPrepare: first = cmd_q.check ? StSettle : StRandom;
      CmdSign: first = ready_made ? StBlock : StRandom;
      CmdVerify: first = StHead;
      CmdLeaf, CmdNode: first = lms ? StBlock : StWork;
      default: first = StWipe;
    endcase
  end
  assign offer_o = '{
          accept: accept,
          go: go,
          hashes: makes_secrets && !leaves,
          leaves: leaves,
          fills: tabulates,
          judges: cmd_q.op == CmdVerify,
          first: first
      };

  assign erase_o = answers_i && work_o.signs && tabled_q;
  assign height_o = height_q;
  assign public_o = op_q == CmdLoadPublic;
  assign work_o = '{
          loads: op_q inside {CmdLoadKey, CmdLoadPublic},
          prepares: op_q == CmdPrepare,
          signs: op_q == CmdSign,
          verifies: op_q == CmdVerify,
          leaf: op_q inside {CmdLeaf, CmdNode},
          yields: idle_q && op_q inside {CmdPrepare, CmdLeaf, CmdNode}
      };
  assign kind_o = '{n24: mode_q inside {XmssN24, LmsN24}, lms: lms, plain: lms || SHAKE};

  logic fills;
  assign fills = work_o.prepares && table_q;
  // The scheduler cuts chains into pieces. A verification of XMSS has them whole where all masks
  // are prepared.
  assign set_o = '{
          mode: mode_q,
          octets: octets_q,
          fly: fly_q,
          verify: work_o.verifies,
          in_order: lms && !work_o.signs,
          fills: fills,
          reads: reads_q,
          most: fills ? 8'd1 : lms ? 8'd4 : work_o.verifies && !fly_q ? 8'd255 : 8'd2
      };

  // The code reads the same when its bits are in the opposite order, in which the register keeps
  // them (xmss_sequencer.sv).
  logic [7:0] grant_turned;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) grant_turned[i] = grant_q[i^7];
  end
  always_ff @(posedge clk_i) begin
    taken_q <= valid_i && ready_o;
    grant_q <= grant_e'(grant_turned);
    if (valid_i && ready_o) begin
      {cmd_q, good_q, reuse_q} <= {cmd_i, good, reuse};
      asked_inv_q <= ~cmd_i.index[Bits-1:0];
      grant_q <= !(good && cmd_i.op == CmdSign) ? GrantNone : reuse ? GrantPrepared : GrantSign;
    end
    if (!rst_ni || starts_o.wipe) begin
      {taken_q, cmd_q, good_q, reuse_q, asked_inv_q} <= '0;
      grant_q <= GrantNone;
    end
  end

  always_ff @(posedge clk_i) begin
    if (key_done_i) begin
      key_q <= 1'b1;
      secret_key_q <= op_q == CmdLoadKey;
    end
    if (prepared_i) begin
      prepared_q <= !check_q;
      unprepared_q <= cmd_q.check;
      prepared_check_q <= check_q;
      prepared_table_q <= table_q;
      prepared_index_q <= index_i[Bits-1:0];
      prepared_inv_q <= ~cmd_q.index[Bits-1:0];
    end
    if (accept) begin
      op_q <= cmd_q.op;
      check_q <= cmd_q.check;
      table_q <= cmd_q.chain_table;
      reads_q <= may && ready_made && cmd_q.op == CmdSign && prepared_table_q;
      idle_q <= cmd_q.idle;
      {prepared_q, prepared_check_q} <= '0;
      unprepared_q <= 1'b1;
    end
    // A table is erased after the next signature, whether that was read from it or not.
    if (erase_o) tabled_q <= 1'b0;
    else if (tabulates) tabled_q <= 1'b1;
    if (go) fly_q <= !ready_made && !lms;
    if (load_o) begin
      height_q <= cmd_q.height;
      mode_q <= cmd_q.mode;
      octets_q <= cmd_q.octets;
      next_q <= {|cmd_q.index[31:Bits], cmd_q.index[Bits-1:0]};
      last_inv_q <= -{1'b0, |cmd_q.index[31:Bits], cmd_q.index[Bits-1:0]};
      key_q <= 1'b0;
      secret_key_q <= 1'b0;
    end
    if (go && cmd_q.op == CmdSign) begin
      next_q <= {1'b0, cmd_q.index[Bits-1:0]} + (Bits + 1)'(1);
      last_inv_q <= {2'b11, asked_inv_q};
    end
    if (!rst_ni || starts_o.wipe) begin
      {table_q, prepared_table_q, reads_q, tabled_q} <= '0;
      {op_q, check_q, idle_q, fly_q, octets_q, mode_q} <= '0;
      {key_q, secret_key_q, height_q, next_q, last_inv_q} <= '0;
      {prepared_q, prepared_check_q, prepared_index_q, prepared_inv_q} <= '0;
      unprepared_q <= 1'b1;
    end
  end
endmodule

`default_nettype wire
