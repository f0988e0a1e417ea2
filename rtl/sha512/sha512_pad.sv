// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Padding (FIPS 180-4, Section 5.1.2 (SHA-384, SHA-512, SHA-512/224 and SHA-512/256)) of a stream
// of little-endian 64-bit words into big-endian message words.
//
// A word carries eight bytes, the last one 0 to 8. `start_i` begins a message; `prior_i` is the
// number of bytes already hashed into the midstate, a multiple of 128. `word_o` waits for
// `ready_i`, `last_o` marks the last word.
`default_nettype none

module sha512_pad (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire [60:0] prior_i,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] data_i,
    input wire [3:0] bytes_i,
    input wire last_i,
    output logic valid_o,
    input wire ready_i,
    output logic [63:0] word_o,
    output logic last_o
);
  typedef enum logic [1:0] {
    StIdle,
    StMessage,
    StMark,
    StZero
  } state_e;

  state_e state_q, state_d;
  logic [ 3:0] index_q;
  // The message so far: whole words in two parts, the upper one a cycle behind (the length is read
  // at least a cycle after the last whole word), and the bytes of a last word that is none. A sum
  // of bytes would wait for `pass`.
  logic [37:0] upper_q;
  logic [19:0] words_q;
  logic [ 2:0] rest_q;
  logic counts, carry_q;
  logic [63:0] swapped, marked;
  logic pass, fits, marking, defer_q;

  for (genvar i = 0; i < 8; i++) begin : gen_swap
    assign swapped[8*i+:8] = data_i[8*(7-i)+:8];
    assign marked[8*i+:8]  = (7 - i) < int'(bytes_i) ? swapped[8*i+:8] : (7 - i) == int'(bytes_i) ? 8'h80 : 8'h00;
  end

  assign pass = valid_o && ready_i;
  assign counts = pass && state_q == StMessage && !(last_i && fits);
  assign ready_o = state_q == StMessage && ready_i;
  assign valid_o = (state_q == StMessage && valid_i) || state_q == StMark || state_q == StZero;
  assign fits = bytes_i != 4'd8;
  assign last_o = state_q == StZero && index_q == 4'd15 && !defer_q;

  always_comb begin
    word_o = '0;
    unique case (state_q)
      StMessage: word_o = last_i ? marked : swapped;
      StMark: word_o = {8'h80, 56'h0};
      default: if (last_o) word_o = {upper_q, words_q, rest_q, 3'b000};
    endcase
  end

  // After the mark come zeros, up to a block whose last two words are free for the length.
  assign marking = pass && ((state_q == StMessage && last_i && fits) || state_q == StMark);
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StMessage: if (pass && last_i) state_d = fits ? StZero : StMark;
      StMark: if (pass) state_d = StZero;
      StZero: if (pass && last_o) state_d = StIdle;
      default: ;
    endcase
    if (start_i) state_d = StMessage;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= '0;
      {upper_q, words_q, rest_q} <= '0;
      carry_q <= 1'b0;
      defer_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (start_i) begin
        index_q <= '0;
        {upper_q, words_q, rest_q} <= prior_i;
        carry_q <= 1'b0;
      end else begin
        carry_q <= counts && &words_q;
        if (counts) words_q <= words_q + 20'd1;
        if (carry_q) upper_q <= upper_q + 38'd1;
      end
      if (pass && !start_i) begin
        index_q <= index_q + 4'd1;
        if (marking) defer_q <= index_q == 4'd14;
        else if (index_q == 4'd15) defer_q <= 1'b0;
        if (state_q == StMessage && last_i && fits) rest_q <= bytes_i[2:0];
      end
    end
  end
endmodule

`default_nettype wire
