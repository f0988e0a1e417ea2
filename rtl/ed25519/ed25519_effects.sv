// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Checks and outputs that go with a result: the operation's verdict, the sign of x, the compressed point.
`default_nettype none

module ed25519_effects
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire start_i,
    input wire valid_i,
    input wire effect_e effect_i,
    input wire [1:0] signs_i,
    input wire [256:0] r_i,
    input wire [256:0] s_i,
    input wire [256:0] m_i,
    // The sign of x is to change.
    output logic flip_o,
    output logic failed_o,
    output logic [1:0] roots_o,
    output logic [1:0] load_o,
    output logic out_point_o,
    output logic out_scalar_o,
    output logic [255:0] out_o
);
  logic failed_q, parity_q, flip_q, fail, zero_r, zero_s, zero_m, sign, flip;
  logic [1:0] roots_q;

  assign zero_r = r_i == '0;
  assign zero_s = s_i == '0;
  assign zero_m = m_i == '0;
  assign sign   = effect_i == EffectSign0 ? signs_i[0] : signs_i[1];

  always_comb begin
    fail = 1'b0;
    unique case (effect_i)
      EffectFailUnlessZero: fail = !zero_m;
      EffectFailIfNegative: fail = m_i[256];
      EffectRoot0, EffectRoot1: fail = !zero_m && !zero_s;
      EffectSign0, EffectSign1, EffectSignNegated1: fail = sign && zero_r;
      default: ;
    endcase
  end

  assign flip = r_i[0] ^ sign ^ (effect_i == EffectSignNegated1);
  assign flip_o = flip_q;
  assign failed_o = failed_q;
  assign roots_o = roots_q;
  assign load_o = {valid_i && effect_i == EffectScalar1, valid_i && effect_i == EffectScalar0};
  assign out_point_o = valid_i && effect_i == EffectOutPoint;
  assign out_scalar_o = valid_i && effect_i == EffectOutScalar;
  assign out_o = out_point_o ? {parity_q, r_i[254:0]} : s_i[255:0];

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      failed_q <= 1'b0;
    end else if (valid_i) begin
      failed_q <= failed_q | fail;
      if (effect_i == EffectRoot0) roots_q[0] <= zero_s;
      if (effect_i == EffectRoot1) roots_q[1] <= zero_s;
      if (effect_i == EffectSign0 || effect_i == EffectSign1 || effect_i == EffectSignNegated1) flip_q <= flip;
      if (effect_i == EffectParity) parity_q <= r_i[0];
    end
  end
endmodule
