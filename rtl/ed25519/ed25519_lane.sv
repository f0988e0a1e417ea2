// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One operation at a time: streams, hash units, and the state of its microprogram. The shared
// multiplier, microcode and ROM are reached through the ports of ed25519_point.
//
// The key of a seed is made inside and stays (ed25519_key), also while signatures are verified. A
// command to sign is refused without one, and S does not leave unless key and message are what
// they were when the signature began.
//
// A reset, `zeroize_i` and OpClear wipe the lane: for WIPE_CYCLES cycles after them control is
// reset, zeros take the place of what the data registers held, and nothing is taken or shown.
`default_nettype none

module ed25519_lane
  import ed25519_pkg::*;
  import mul25519_pkg::*;
#(
    // The faster configuration, in place of the paper's.
    parameter bit FAST = 1'b0,
    // The paper's windows of zero are added like others. The fast configuration has no others.
    parameter bit FIXED_TIME = 1'b1,
    // Verification with half-size scalars (fast configuration).
    parameter bit HALF_SIZE = 1'b0,
    // Cycles from a product to its use, 2 to 8.
    parameter int unsigned MUL_LATENCY = 2,
    parameter int unsigned WIPE_CYCLES = 19
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    output logic wiping_o,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire op_e cmd_op_i,
    input wire key_valid_i,
    output logic key_ready_o,
    input wire [63:0] key_data_i,
    output logic key_held_o,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire [63:0] in_data_i,
    input wire [3:0] in_bytes_i,
    input wire in_last_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output logic [63:0] out_data_o,
    output logic out_last_o,
    output logic rsp_valid_o,
    input wire rsp_ready_i,
    output logic [7:0] rsp_verdict_o,
    // See ed25519_point.
    input wire slot_i,
    output logic [9:0] pc_o,
    input wire word_t word_i,
    output logic [7:0] rom_entry_o,
    output logic [1:0] rom_part_o,
    input wire [254:0] rom_i,
    output logic issue_o,
    output logic [256:0] a_o,
    output logic [255:0] b_o,
    output mode_e mode_o,
    output logic twice_o,
    output logic [256:0] c_o,
    input wire [256:0] r_i,
    input wire [256:0] s_i,
    input wire [256:0] m_i
);
  op_e op_q, op;
  logic start, again, active_q, finished_q, loaded, hash_done, check_done, digests_done;
  logic proper, point_done, point_sound, out_point, out_scalar, out_done;
  logic point_valid_q, scalar_valid_q, withheld_q, made_q, key_sound;
  logic [255:0] words[3], inputs[3], out, point_q, scalar_q, secret, prefix, public_key;
  logic [511:0] digest, check_digest, first_q;

  logic kept_n, clears, cleared_q, denies, denied_q, wipe, in_ready, key_ready, out_valid;

  assign cmd_ready_o = !active_q && !cleared_q && !denied_q && !wipe;
  assign clears = cmd_valid_i && cmd_ready_o && cmd_op_i == OpClear;
  assign denies = cmd_valid_i && cmd_ready_o && cmd_op_i == OpSign && !key_sound;
  assign start = cmd_valid_i && cmd_ready_o && !clears && !denies;
  ed25519_wipe #(
      .CYCLES(WIPE_CYCLES)
  ) u_wipe (
      .clk_i,
      .start_i(!rst_ni || zeroize_i || clears),
      .wipe_o (wipe)
  );
  assign wiping_o = wipe;
  assign kept_n = rst_ni && !wipe;
  assign in_ready_o = in_ready && !wipe;
  assign key_ready_o = key_ready && !wipe;
  assign out_valid_o = out_valid && !wipe;
  assign op = start ? cmd_op_i : op_q;
  // The second pass of signing begins when R is there.
  assign again = out_point && op_q == OpSign;

  // Hash units: the message with what precedes it, and the message alone.
  logic hash_valid, hash_ready, hash_last, hash_message, both_ready, check_ready, check_used;
  logic [63:0] hash_data;
  logic [ 3:0] hash_bytes;
  assign check_used = hash_message && op_q == OpSign;
  assign both_ready = hash_ready && (!check_used || check_ready);

  // The scalar takes the place of the first input of a verification.
  always_comb begin
    inputs = words;
    if (op_q == OpSign) inputs[0] = secret;
  end
  ed25519_input u_input (
      .clk_i,
      .rst_ni(kept_n),
      .wipe_i(wipe),
      .start_i(start),
      .again_i(again),
      .op_i(op),
      .prefix_i(prefix),
      .public_i(public_key),
      .point_i(point_q),
      .key_valid_i,
      .key_ready_o(key_ready),
      .key_data_i,
      .valid_i(in_valid_i),
      .ready_o(in_ready),
      .data_i(in_data_i),
      .bytes_i(in_bytes_i),
      .last_i(in_last_i),
      .inputs_o(words),
      .loaded_o(loaded),
      .proper_o(proper),
      .hash_valid_o(hash_valid),
      .hash_ready_i(both_ready),
      .hash_data_o(hash_data),
      .hash_bytes_o(hash_bytes),
      .hash_last_o(hash_last),
      .hash_message_o(hash_message)
  );
  sha512 u_hash (
      .clk_i,
      .rst_ni(kept_n),
      .wipe_i(wipe),
      .start_i(start || again),
      .resume_i(1'b0),
      .midstate_i('0),
      .prior_i('0),
      .valid_i(hash_valid && both_ready),
      .ready_o(hash_ready),
      .data_i(hash_data),
      .bytes_i(hash_bytes),
      .last_i(hash_last),
      .done_o(hash_done),
      .digest_o(digest)
  );
  sha512 u_check (
      .clk_i,
      .rst_ni(kept_n),
      .wipe_i(wipe),
      .start_i(start || again),
      .resume_i(1'b0),
      .midstate_i('0),
      .prior_i('0),
      .valid_i(hash_valid && both_ready && check_used),
      .ready_o(check_ready),
      .data_i(hash_data),
      .bytes_i(hash_bytes),
      .last_i(hash_last),
      .done_o(check_done),
      .digest_o(check_digest)
  );

  // The hash of the message alone may end in a later block than that of the message with its
  // prefix.
  assign digests_done = hash_done && (check_done || op_q != OpSign);

  ed25519_point #(
      .FAST(FAST),
      .FIXED_TIME(FIXED_TIME),
      .HALF_SIZE(HALF_SIZE),
      .LATENCY(MUL_LATENCY)
  ) u_point (
      .clk_i,
      .rst_ni(kept_n),
      .wipe_i(wipe),
      .start_i(start),
      .op_i(op),
      .inputs_i(inputs),
      .digest_i(digest),
      .conditions_i({digests_done, loaded}),
      .done_o(point_done),
      .sound_o(point_sound),
      .out_point_o(out_point),
      .out_scalar_o(out_scalar),
      .out_o(out),
      .slot_i,
      .pc_o,
      .word_i,
      .rom_entry_o,
      .rom_part_o,
      .rom_i,
      .issue_o,
      .a_o,
      .b_o,
      .mode_o,
      .twice_o,
      .c_o,
      .r_i,
      .s_i,
      .m_i
  );

  ed25519_output u_output (
      .clk_i,
      .rst_ni(kept_n),
      .start_i(start),
      .op_i(op_q),
      .point_i(point_q),
      .point_valid_i(point_valid_q),
      .scalar_i(scalar_q),
      .scalar_valid_i(scalar_valid_q),
      .valid_o(out_valid),
      .ready_i(out_ready_i),
      .data_o(out_data_o),
      .last_o(out_last_o),
      .done_o(out_done)
  );

  // The digest of the seed stays in the hash unit until the next operation.
  ed25519_key u_key (
      .clk_i,
      .wipe_i  (wipe),
      .load_i  (made_q),
      .digest_i(digest),
      .point_i (point_q),
      .scalar_o(secret),
      .prefix_o(prefix),
      .public_o(public_key),
      .sound_o (key_sound)
  );

  assign key_held_o = key_sound && !wipe;

  // S is released only when both passes read the same message, with the key that was loaded.
  logic same, release_scalar;
  assign same = check_done && check_digest == first_q;
  assign release_scalar = out_scalar && same && key_sound;
  assign rsp_valid_o = !wipe && (cleared_q || denied_q || (active_q && finished_q && (out_done || withheld_q)));
  always_comb begin
    rsp_verdict_o = VerdictRefused;
    if (cleared_q) rsp_verdict_o = VerdictDone;
    else if (denied_q || !active_q) rsp_verdict_o = VerdictRefused;
    else if (op_q == OpVerify) rsp_verdict_o = point_sound && proper ? VerdictGood : VerdictBad;
    else if (withheld_q) rsp_verdict_o = key_sound ? VerdictBad : VerdictRefused;
    else if (point_sound) rsp_verdict_o = VerdictDone;
  end

  always_ff @(posedge clk_i) begin
    if (wipe) op_q <= OpKeygen;
    else if (start) op_q <= cmd_op_i;
    if (out_point || wipe) point_q <= out;
    if (release_scalar || wipe) scalar_q <= out;
    if (again || wipe) first_q <= check_digest;
  end

  // A clear is answered when it is done.
  always_ff @(posedge clk_i) begin
    cleared_q <= rst_ni && !zeroize_i && (clears || (cleared_q && !(rsp_valid_o && rsp_ready_i)));
    denied_q  <= kept_n && (denies || (denied_q && !(rsp_valid_o && rsp_ready_i)));
    made_q    <= kept_n && out_point && op_q == OpKeygen;
  end

  always_ff @(posedge clk_i) begin
    if (!kept_n) begin
      active_q <= 1'b0;
      {finished_q, point_valid_q, scalar_valid_q, withheld_q} <= '0;
    end else if (start) begin
      active_q <= 1'b1;
      {finished_q, point_valid_q, scalar_valid_q, withheld_q} <= '0;
    end else begin
      if (rsp_valid_o && rsp_ready_i) active_q <= 1'b0;
      if (point_done) finished_q <= 1'b1;
      if (out_point) point_valid_q <= 1'b1;
      if (release_scalar) scalar_valid_q <= 1'b1;
      if (out_scalar && !release_scalar) withheld_q <= 1'b1;
    end
  end
endmodule

`default_nettype wire
