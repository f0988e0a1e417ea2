// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Checks and outputs that go with a result: the operation's verdict, the sign of x, the compressed
// point.
//
// The results come at the end of the longest path, so whether one is zero is found in two steps:
// groups of its bits in the cycle of the result, the rest in the next, from which `failed_o` and
// `roots_o` have it without a wait.
//
// The verdict is good for what was done, not for what did not fail: the checks that passed and the
// marks of the program are counted, so a program counter that flips and goes past a check, or back
// to where digits begin, ends with another count. `failed_o` rests on a code, and each sign on two
// bits, of which one is inverted.
`default_nettype none

module ed25519_effects
  import ed25519_pkg::*;
(
    input wire clk_i,
    // Nothing is left of the operation before.
    input wire start_i,
    input wire mark_i,
    input wire valid_i,
    input wire effect_e effect_i,
    input wire [1:0] signs_i,
    input wire [256:0] r_i,
    input wire [256:0] s_i,
    input wire [256:0] m_i,
    // The sign of x is to change.
    output logic flip_o,
    output logic failed_o,
    output logic [3:0] checks_o,
    output logic [3:0] marks_o,
    output logic [1:0] roots_o,
    output logic [1:0] load_o,
    output logic out_point_o,
    output logic out_scalar_o,
    output logic [255:0] out_o
);
  localparam int unsigned Group = 16;
  localparam int unsigned Groups = 17;

  // Nothing has failed so far.
  localparam logic [7:0] Sound = 8'h96;

  logic parity_q, flip_q, fail, check, zero_r, zero_s, zero_m, sign, flip, valid_q;
  logic [7:0] sound_q;
  logic [3:0] checks_q, marks_q;
  logic [1:0] sign_q, negative_q;
  logic [1:0] roots_q, roots;
  logic [Groups-1:0] some_r_q, some_s_q, some_m_q;
  effect_e effect_q;

  assign sign   = effect_i == EffectSign0 ? signs_i[0] : signs_i[1];
  assign zero_r = some_r_q == '0;
  assign zero_s = some_s_q == '0;
  assign zero_m = some_m_q == '0;

  always_comb begin
    fail  = 1'b0;
    check = valid_q;
    unique case (effect_q)
      EffectFailUnlessZero: fail = !zero_m;
      EffectFailIfZero: fail = zero_m;
      EffectFailIfNegative: fail = negative_q != 2'b10;
      EffectRoot0, EffectRoot1: fail = !zero_m && !zero_s;
      EffectSign0, EffectSign1, EffectSignNegated1: fail = sign_q != 2'b10 && zero_r;
      default: check = 1'b0;
    endcase
    roots = roots_q;
    if (valid_q && effect_q == EffectRoot0) roots[0] = zero_s;
    if (valid_q && effect_q == EffectRoot1) roots[1] = zero_s;
  end

  assign flip = r_i[0] ^ sign ^ (effect_i == EffectSignNegated1);
  assign flip_o = flip_q;
  assign failed_o = sound_q != Sound || (check && fail);
  assign checks_o = checks_q + 4'(check);
  assign marks_o = marks_q;
  assign roots_o = roots;
  assign load_o = {valid_i && effect_i == EffectScalar1, valid_i && effect_i == EffectScalar0};
  assign out_point_o = valid_i && effect_i == EffectOutPoint;
  assign out_scalar_o = valid_i && effect_i == EffectOutScalar;
  assign out_o = out_point_o ? {parity_q, r_i[254:0]} : s_i[255:0];

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Groups; k++) begin
      some_r_q[k] <= |(r_i >> (Group * k) & 257'((1 << Group) - 1));
      some_s_q[k] <= |(s_i >> (Group * k) & 257'((1 << Group) - 1));
      some_m_q[k] <= |(m_i >> (Group * k) & 257'((1 << Group) - 1));
    end
    effect_q <= effect_i;
    sign_q <= {!sign, sign};
    negative_q <= {!m_i[256], m_i[256]};
    valid_q <= valid_i && !start_i;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) sound_q <= Sound;
    else if (failed_o) sound_q <= '0;
    checks_q <= start_i ? '0 : checks_o;
    marks_q  <= start_i ? '0 : marks_q + 4'(mark_i);
    roots_q  <= roots;
    if (start_i) begin
      {flip_q, parity_q, roots_q} <= '0;
    end else if (valid_i) begin
      if (effect_i == EffectSign0 || effect_i == EffectSign1 || effect_i == EffectSignNegated1) flip_q <= flip;
      if (effect_i == EffectParity) parity_q <= r_i[0];
    end
  end
endmodule

`default_nettype wire
