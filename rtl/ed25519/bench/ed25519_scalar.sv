// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The unit for scalar multiplication alone: microprogram, registers and multiplier of the core with
// one lane, a register for the scalar and one for the point, without hash units, streams and
// wiping. It multiplies the base point by a clamped scalar, as a key generation does, and shows the
// point encoded from `done_o` to the next start.
`default_nettype none

module ed25519_scalar
  import ed25519_pkg::*;
  import mul25519_pkg::*;
#(
    parameter bit FAST = 1'b0,
    parameter bit FIXED_TIME = 1'b1,
    parameter int unsigned MUL_LATENCY = 2,
    parameter int unsigned TILE_B = 17,
    parameter bit BOOTH = 1'b0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire [255:0] scalar_i,
    output logic done_o,
    output logic [255:0] point_o
);
  logic [9:0] pc;
  word_t word;
  logic [7:0] rom_entry;
  logic [1:0] rom_part;
  logic [254:0] rom_value;
  logic issue, twice, out_point, done;
  mode_e mode;
  logic [256:0] a, a_q, c, r, s, m;
  logic [255:0] b, b_q, out, scalar_q;
  logic [255:0] inputs[3];

  assign inputs = '{default: '0};
  always_ff @(posedge clk_i) begin
    done_o <= rst_ni && done;
    if (start_i) scalar_q <= scalar_i;
    if (out_point) point_o <= out;
  end

  ed25519_point #(
      .FAST(FAST),
      .FIXED_TIME(FIXED_TIME),
      .LATENCY(MUL_LATENCY)
  ) u_point (
      .clk_i,
      .rst_ni,
      .wipe_i(1'b0),
      .start_i,
      .op_i(OpKeygen),
      .inputs_i(inputs),
      .digest_i(512'(scalar_q)),
      .conditions_i('1),
      .done_o(done),
      .sound_o(),
      .out_point_o(out_point),
      .out_scalar_o(),
      .out_o(out),
      .slot_i(1'b1),
      .pc_o(pc),
      .word_i(word),
      .rom_entry_o(rom_entry),
      .rom_part_o(rom_part),
      .rom_i(rom_value),
      .issue_o(issue),
      .a_o(a),
      .b_o(b),
      .mode_o(mode),
      .twice_o(twice),
      .c_o(c),
      .r_i(r),
      .s_i(s),
      .m_i(m)
  );

  if (FAST) begin : gen_fast
    ed25519_ucode_fast u_ucode (
        .address_i(pc),
        .word_o(word)
    );
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

  ed25519_factors #(
      .LANES(1)
  ) u_factors (
      .clk_i,
      .slot_i(1'b1),
      .issue_i(issue),
      .a_i('{a}),
      .b_i('{b}),
      .a_o(a_q),
      .b_o(b_q)
  );
  mul25519 #(
      .LATENCY(MUL_LATENCY),
      .TILE_B (TILE_B),
      .BOOTH  (BOOTH)
  ) u_mul (
      .clk_i,
      .mode_i(mode),
      .twice_i(twice),
      .a_i(a_q),
      .b_i(b_q),
      .c_i(c),
      .r_o(r),
      .s_o(s),
      .m_o(m)
  );
endmodule

`default_nettype wire
