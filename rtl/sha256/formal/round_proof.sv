// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// sha256_round is the round of the standard's text, for every state, constant and word.
//
// With MORE it adds six words for a, which no solver compares with their sum at once. So each of
// its levels is shown to keep the sum of what it takes, whatever the levels before made of that.
// Their equations add up to
//   a = h + K + W + choice + sum1 + sum0 + majority + more_a,
//   e = h + K + W + choice + sum1 + d + more_e,
// in which the functions are those of the text.
`default_nettype none

module round_proof #(
    parameter bit MORE = 1'b0
) (
    input wire [7:0][31:0] state_i,
    input wire [31:0] constant_i,
    input wire [31:0] word_i,
    input wire [31:0] more_a_i,
    input wire [31:0] more_e_i,
    output logic differs_o
);
  logic [31:0] hkw;
  logic [6:0][31:0] ours;
  logic [7:0][31:0] theirs;

  assign hkw = state_i[7] + constant_i + word_i;
  sha256_round #(
      .MORE(MORE)
  ) u_round (
      .state_i (state_i[6:0]),
      .hkw_i   (hkw),
      .more_a_i(more_a_i),
      .more_e_i(more_e_i),
      .state_o (ours)
  );
  assign theirs = sha256_text::round(state_i, constant_i, word_i);

  if (MORE) begin : gen_levels
    import sha256_text::sum0, sha256_text::sum1, sha256_text::choice, sha256_text::majority;
    logic [31:0] a, b, c, d, e, f, g;
    logic [5:0] same;
    assign {g, f, e, d, c, b, a} = state_i[6:0];
    assign same[0] = u_round.s1 + u_round.c1 == hkw + choice(e, f, g) + sum1(e);
    assign same[1] = u_round.sa + u_round.ca == sum0(a) + majority(a, b, c) + more_a_i;
    assign same[2] = u_round.s2 + u_round.c2 == u_round.s1 + u_round.sa + u_round.ca;
    assign same[3] = ours[0] == u_round.s2 + u_round.c2 + u_round.c1;
    assign same[4] = u_round.se + u_round.ce == u_round.s1 + d + more_e_i;
    assign same[5] = ours[4] == u_round.se + u_round.ce + u_round.c1;
    assign differs_o = !(&same) || ours[3:1] != theirs[3:1] || ours[6:5] != theirs[6:5];
    logic unused;
    assign unused = ^{theirs[0], theirs[4]};
  end else begin : gen_plain
    assign differs_o = ours != theirs[6:0];
  end

  logic unused;
  assign unused = ^theirs[7];
endmodule

`default_nettype wire
