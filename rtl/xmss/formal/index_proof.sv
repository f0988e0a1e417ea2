// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One-time keys: an index that a signature is granted lies above every one that was granted before
// it since the key was loaded, and not below the first one that the load allows, resets and wiping
// included. No signature is granted without a key, and what the sequencer is told is sure while a
// signature is in work is its own index.
//
// The engine promises: a command is taken when none is in work, the values of a key come behind its
// command, and the index in work is the command's.
`default_nettype none

module index_proof
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
    input wire erasing_i,
    input wire another_i,
    input wire [31:0] index_i,
    output logic differs_o
);
  starts_t starts;
  command_t cmd;
  offer_t offer;
  work_t work;
  kind_t kind;
  set_t set;
  logic ready, sure, load, is_public, erase, loaded_q;
  logic [31:0] leaf;
  logic [4:0] node_height, height;
  xmss_command u_command (
      .clk_i,
      .rst_ni,
      .valid_i,
      .idle_i,
      .ready_o(ready),
      .cmd_i,
      .cmd_o(cmd),
      .key_done_i(key_done_i && loaded_q && work.loads && !idle_i),
      .prepared_i,
      .answers_i,
      .erasing_i,
      .another_i,
      .index_i,
      .offer_o(offer),
      .starts_o(starts),
      .leaf_o(leaf),
      .node_height_o(node_height),
      .load_o(load),
      .work_o(work),
      .sure_o(sure),
      .kind_o(kind),
      .public_o(is_public),
      .height_o(height),
      .set_o(set),
      .erase_o(erase)
  );
  wire unused = &{offer, kind, set, leaf, node_height, is_public, erase, ready};

  // The history: the lowest index that may be granted, with a bit more than an index has.
  logic granted, signed_q;
  logic [32:0] lowest_q;
  logic [31:0] last_q;
  assign granted = starts.start && !starts.refuse && cmd.op == CmdSign;
  always_ff @(posedge clk_i) begin
    if (granted) begin
      lowest_q <= {1'b0, cmd.index} + 33'd1;
      last_q <= cmd.index;
      signed_q <= 1'b1;
    end
    if (load) begin
      lowest_q <= {1'b0, cmd.index};
      loaded_q <= 1'b1;
      signed_q <= 1'b0;
    end
    if (!rst_ni || starts.wipe) begin
      {lowest_q, last_q} <= '0;
      {loaded_q, signed_q} <= '0;
    end
  end

  // The claims.
  logic again, unloaded, other;
  assign again = granted && {1'b0, cmd.index} < lowest_q;
  assign unloaded = granted && !loaded_q;
  assign other = work.signs && sure && !starts.start && !(signed_q && index_i == last_q);

  // The invariants that hold it together from cycle to cycle: both copies say what the history
  // says, a grant is that of the signature in work, and a tree has no more than 2^20 leaves.
  logic copies, empty, grants, taken, keys, trees;
  logic [20:0] next;
  assign next = {lowest_q[32:20] != '0, lowest_q[19:0]};
  assign empty = !loaded_q && {u_command.next_q, u_command.last_inv_q} != '0;
  assign taken = u_command.taken_q ? u_command.good_q && {1'b0, cmd.index} >= lowest_q : signed_q && cmd.index == last_q;
  assign grants = !(8'(u_command.grant_q) inside {8'(GrantNone), 8'(GrantSign), 8'(GrantPrepared)}) ||
      (8'(u_command.grant_q) != 8'(GrantNone) && !(taken && cmd.op == CmdSign)) || (u_command.taken_q && u_command.asked_inv_q != ~cmd.index[19:0]);
  assign copies = loaded_q && (u_command.next_q != next || u_command.last_inv_q != -{1'b0, next} || (signed_q && lowest_q != {1'b0, last_q} + 33'd1));
  assign keys = (u_command.secret_key_q || signed_q) && !loaded_q;
  assign trees = (loaded_q && height > MaxHeight) || (u_command.taken_q && u_command.good_q && cmd.op == CmdSign && (!u_command.secret_key_q || (cmd.index >> height) != '0)) ||
      (u_command.taken_q && u_command.good_q && cmd.op inside {CmdLoadKey, CmdLoadPublic} && cmd.height > MaxHeight) || (signed_q && last_q[31:20] != '0);
  assign differs_o = again || unloaded || other || empty || grants || copies || keys || trees;
endmodule

`default_nettype wire
