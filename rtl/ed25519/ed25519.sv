// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ed25519 (RFC 8032): key generation from a seed, signing with the key that was made,
// verification.
//
// LANES operations run side by side on one multiplier; lane i may issue in every LANES-th cycle. A
// command starts an operation; its input and output words are those of ed25519_input and
// ed25519_output, byte 0 in bits 7 to 0; a response ends it. A seed has ports of its own; the key
// that is made of it stays in the lane, and no output shows it. `rsp_verdict_o` is VerdictGood for
// a good signature that was verified and for nothing else, and VerdictDone for a key, a signature
// and a clear. A signature is VerdictBad when the two passes over the message differed, and
// VerdictRefused without a key; then S is not put out. OpClear, `zeroize_i` and a reset wipe a lane
// (ed25519_lane).
`default_nettype none

module ed25519
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
    // Tiles of 17x17 or 17x24 bits.
    parameter int unsigned TILE_B = 17,
    // Levels of Karatsuba's method in the multiplier, 0 to 2.
    parameter int unsigned KARATSUBA = 0,
    // Booth's method in the multiplier in place of tiles, for standard cells.
    parameter bit BOOTH = 1'b0,
    // Operations in flight, each with its own streams and hash units.
    parameter int unsigned LANES = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire zeroize_i,
    output logic [LANES-1:0] wiping_o,
    input wire [LANES-1:0] cmd_valid_i,
    output logic [LANES-1:0] cmd_ready_o,
    input wire [LANES-1:0][1:0] cmd_op_i,
    input wire [LANES-1:0] key_valid_i,
    output logic [LANES-1:0] key_ready_o,
    input wire [LANES-1:0][63:0] key_data_i,
    // A key is there to sign with.
    output logic [LANES-1:0] key_held_o,
    input wire [LANES-1:0] in_valid_i,
    output logic [LANES-1:0] in_ready_o,
    input wire [LANES-1:0][63:0] in_data_i,
    input wire [LANES-1:0][3:0] in_bytes_i,
    input wire [LANES-1:0] in_last_i,
    output logic [LANES-1:0] out_valid_o,
    input wire [LANES-1:0] out_ready_i,
    output logic [LANES-1:0][63:0] out_data_o,
    output logic [LANES-1:0] out_last_o,
    output logic [LANES-1:0] rsp_valid_o,
    input wire [LANES-1:0] rsp_ready_i,
    output logic [LANES-1:0][7:0] rsp_verdict_o,
    // A product is issued in this cycle.
    output logic mul_busy_o
);
  if (HALF_SIZE && !FAST) begin : g_bad_half_size
    $error("HALF_SIZE is of the fast configuration");
  end
  if (LANES < 1) begin : g_bad_lanes
    $error("LANES is at least 1");
  end

  // The offer of each lane; only one is not zero at a time after the masks below.
  logic [9:0] pcs[LANES], pc;
  logic [7:0] rom_entries[LANES], rom_entry;
  logic [1:0] rom_parts[LANES], rom_part;
  logic [LANES-1:0] slot_q, issues, twices;
  logic [256:0] as[LANES], a_q, cs[LANES], c, r, s, m;
  logic [255:0] bs[LANES], b_q;
  mode_e modes[LANES], mode;
  logic [1:0] mode_bits;
  word_t word;
  logic [254:0] rom_value;

  // One bit, whatever it was before.
  logic [LANES-1:0] behind;
  assign behind = LANES'({slot_q, 1'b0});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= LANES'(1);
    else slot_q <= behind | LANES'(behind == '0);
  end

  always_comb begin
    {pc, rom_entry, rom_part, c, mode_bits} = '0;
    for (int unsigned i = 0; i < LANES; i++) begin
      if (slot_q[i]) begin
        pc |= pcs[i];
        rom_entry |= rom_entries[i];
        rom_part |= rom_parts[i];
      end
      c |= cs[i];
      mode_bits |= modes[i];
    end
  end
  assign mode = mode_e'(mode_bits);
  assign mul_busy_o = |issues;

  if (FAST) begin : gen_fast
    if (HALF_SIZE) begin : gen_half
      ed25519_ucode_half u_ucode (
          .address_i(pc),
          .word_o(word)
      );
    end else begin : gen_whole
      ed25519_ucode_fast u_ucode (
          .address_i(pc),
          .word_o(word)
      );
    end
    ed25519_rom_fast u_rom (
        .entry_i(rom_entry),
        .part_i (rom_part),
        .value_o(rom_value)
    );
  end else begin : gen_paper
    ed25519_ucode_paper u_ucode (
        .address_i(pc),
        .word_o(word)
    );
    ed25519_rom_paper u_rom (
        .entry_i(rom_entry),
        .part_i (rom_part),
        .value_o(rom_value)
    );
  end

  for (genvar i = 0; i < LANES; i++) begin : gen_lane
    ed25519_lane #(
        .FAST(FAST),
        .FIXED_TIME(FIXED_TIME),
        .HALF_SIZE(HALF_SIZE),
        .MUL_LATENCY(MUL_LATENCY),
        .WIPE_CYCLES(LANES + MUL_LATENCY + 16)
    ) u_lane (
        .clk_i,
        .rst_ni,
        .zeroize_i,
        .wiping_o(wiping_o[i]),
        .cmd_valid_i(cmd_valid_i[i]),
        .cmd_ready_o(cmd_ready_o[i]),
        .cmd_op_i(op_e'(cmd_op_i[i])),
        .key_valid_i(key_valid_i[i]),
        .key_ready_o(key_ready_o[i]),
        .key_data_i(key_data_i[i]),
        .key_held_o(key_held_o[i]),
        .in_valid_i(in_valid_i[i]),
        .in_ready_o(in_ready_o[i]),
        .in_data_i(in_data_i[i]),
        .in_bytes_i(in_bytes_i[i]),
        .in_last_i(in_last_i[i]),
        .out_valid_o(out_valid_o[i]),
        .out_ready_i(out_ready_i[i]),
        .out_data_o(out_data_o[i]),
        .out_last_o(out_last_o[i]),
        .rsp_valid_o(rsp_valid_o[i]),
        .rsp_ready_i(rsp_ready_i[i]),
        .rsp_verdict_o(rsp_verdict_o[i]),
        .slot_i(slot_q[i]),
        .pc_o(pcs[i]),
        .word_i(word),
        .rom_entry_o(rom_entries[i]),
        .rom_part_o(rom_parts[i]),
        .rom_i(rom_value),
        .issue_o(issues[i]),
        .a_o(as[i]),
        .b_o(bs[i]),
        .mode_o(modes[i]),
        .twice_o(twices[i]),
        .c_o(cs[i]),
        .r_i(r),
        .s_i(s),
        .m_i(m)
    );
  end

  ed25519_factors #(
      .LANES(LANES)
  ) u_factors (
      .clk_i,
      .slot_i(slot_q),
      .issue_i(issues | (wiping_o & slot_q)),
      .a_i(as),
      .b_i(bs),
      .a_o(a_q),
      .b_o(b_q)
  );
  mul25519 #(
      .LATENCY(MUL_LATENCY),
      .SLOTS(LANES),
      .TILE_B(TILE_B),
      .KARATSUBA(KARATSUBA),
      .BOOTH(BOOTH)
  ) u_mul (
      .clk_i,
      .mode_i(mode),
      .twice_i(|twices),
      .a_i(a_q),
      .b_i(b_q),
      .c_i(c),
      .r_o(r),
      .s_o(s),
      .m_o(m)
  );
endmodule

`default_nettype wire
