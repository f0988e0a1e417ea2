// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// One word of a block by wiring: padding and constants by kind, the digest of the last block in its
// new place. RFC 8391, Section 5.1 (Implementing the Functions); for n = 24 SP 800-208, Section 5.2
// (XMSS and XMSS^MT Parameter Sets with SHA-256/192); RFC 8554, Section 4.1 (Parameters) for
// LM-OTS.
//
// `at_i` says which word, one bit of sixteen. The word is an OR of the operands'
// words, each selected by where it stands in the block; so nothing that is wider than a word is
// ever shifted. The digest is not there yet when the first UNROLL words are made: `late_o` is what
// is left out of them.
module chain_word
  import sha256_pkg::*;
  import chain_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire [15:0] at_i,
    input wire shape_t shape_i,
    input wire [7:0] step_i,
    input wire [1:0] part_i,  // keyAndMask
    input wire state_t digest_i,
    input wire [5:0][31:0] a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    input wire [5:0][31:0] seed_i,
    output word_t word_o,
    output places_t late_o
);
  // The places of an operand that begins at word `place`: `at` moved down to there.
  function automatic logic [7:0] from (logic [15:0] at, logic use_it, logic [3:0] place);
    return use_it ? 8'(at >> place) : '0;
  endfunction

  localparam logic [15:0] Late = 16'((1 << UNROLL) - 1);

  shape_t s;
  assign s = shape_i;

  // The value of F; those of n = 24 have six words.
  function automatic places_t value(logic [15:0] at, logic n32, logic n24, logic lms, logic six);
    logic [7:0] xmss, limit;
    xmss  = from (at, n32, 0) | from (at, n24, 7);
    limit = six ? 8'h3f : 8'hff;
    return '{high: (xmss | from (at, lms, 5)) & limit, low: (xmss | from (at, lms, 6)) & limit};
  endfunction

  places_t at_first, at_rest, at_digest, at_b1;
  logic [7:0] at_b0, others;
  logic [5:0] at_a, at_seed;
  assign at_first = value(at_i & Late, s.f_n32, s.f_n24, s.f_lms, s.n24);
  assign at_rest = value(at_i & ~Late, s.f_n32, s.f_n24, s.f_lms, s.n24);
  assign late_o = s.first ? '0 : at_first;
  assign at_digest = (s.first ? '0 : at_rest) | {2{from (at_i, s.key, 8)}};
  assign at_b0 = from (at_i, s.raw || s.f_n32, 0) | (from (at_i, s.pair || s.f_n24, 7) & 8'h3f);
  always_comb begin
    others = from (at_i, s.raw, 8) | from (at_i, s.pair, 13);
    if (s.rest) others[5:3] = others[5:3] | at_i[2:0];
    others |= (from (at_i, s.prf_n32, 0) | from (at_i, s.prf_n24, 7)) & {1'b0, s.node, 6'h3f};
  end
  assign at_b1   = (s.first ? at_first | at_rest : '0) | {2{others}};
  assign at_a    = 6'(from(at_i, s.pair || s.f_n24, 1)) | 6'(from(at_i, s.f_lms, 0));
  assign at_seed = 6'(from(at_i, s.prf_n24, 1));

  // The value: the first byte of its words and the rest.
  logic [ 7:0] high;
  logic [23:0] low;
  word_t mask, others_word;
  always_comb begin
    {high, low, mask, others_word} = '0;
    for (int i = 0; i < 8; i++) begin
      high |= {8{at_digest.high[i]}} & digest_i[i][31:24] | {8{at_b1.high[i]}} & b1_i[i][31:24];
      low |= {24{at_digest.low[i]}} & digest_i[i][23:0] | {24{at_b1.low[i]}} & b1_i[i][23:0];
      mask |= {32{at_b0[i]}} & b0_i[i];
    end
    for (int i = 0; i < 6; i++) begin
      others_word |= {32{at_seed[i]}} & seed_i[i];
      others_word[31:16] |= {16{at_a[i]}} & a_i[i][31:16];
      others_word[15:0] |= {16{at_a[i] && !(s.f_lms && i == 5)}} & a_i[i][15:0];
    end
  end

  // Numbers and padding.
  word_t numbers;
  always_comb begin
    numbers = '0;
    if (s.prf_n32 && at_i[6] && !s.node || s.prf_n24 && at_i[13] && !s.node) numbers[7:0] = step_i;
    if (s.prf_n32 && at_i[7] || s.prf_n24 && at_i[14]) numbers[1:0] = part_i;
    if (s.f_lms && at_i[5]) numbers[15:8] = step_i;
    if (s.prf_n24 && at_i[0]) numbers[1:0] = 2'd3;
    if (s.pair && at_i[0]) numbers[0] = 1'b1;
    if (s.key && at_i[7]) numbers[0] = s.node;
    if (s.f_lms && (s.n24 ? at_i[11] : at_i[13])) numbers[7:0] = 8'h80;
    numbers[31] = (s.f_n32 || s.prf_n32) && at_i[8] || s.f_n24 && at_i[13] || s.prf_n24 && at_i[15] ||
        s.pad_n32 && at_i[0] || s.rest && at_i[3];
    if (at_i[15]) begin
      if (s.f_n32 || s.prf_n32) numbers[10:0] = 11'd768;
      if (s.f_n24) numbers[10:0] = 11'd416;
      if (s.f_lms) numbers[10:0] = s.n24 ? 11'd376 : 11'd440;
      if (s.tail) numbers[10:0] = 11'd480;
      if (s.pad_n32) numbers[10:0] = 11'd1024;
      if (s.rest) numbers[10:0] = 11'd608;
    end
  end

  assign word_o = ((s.f_lms ? {low, high} : {high, low}) | others_word | numbers) ^ mask;
endmodule

`default_nettype wire
