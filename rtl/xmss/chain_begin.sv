// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The words of cycles 0 and 1 of a block, which go straight into a round.
//
// With one round per cycle they come from a register: word 0 is made while the block before ends, without the digest, which only
// F has there and which is added in cycle 0; word 1 is made in cycle 0.
module chain_begin
  import sha256_pkg::*;
  import chain_pkg::*;
#(
    parameter int unsigned UNROLL = 1
) (
    input wire clk_i,
    input wire start_i,  // the next block starts: its kind, its job's operation, whether its job does
    input wire first_i,  // cycle 0
    input wire busy_i,
    input wire kind_e kind_i,
    input wire mode_e mode_i,
    input wire op_e op_i,
    input wire fresh_i,
    input wire shape_t shape_i,  // of the block in work
    input wire [7:0] step_i,
    input wire [1:0] part_i,
    input wire state_t digest_i,
    input wire [5:0][31:0] a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    input wire [5:0][31:0] seed_i,
    output logic [UNROLL-1:0][31:0] words_o
);
  localparam bit Ahead = UNROLL == 1;

  shape_t next_shape, shape;
  chain_shape u_shape (
      .kind_i,
      .mode_i,
      .op_i,
      .first_i(fresh_i),
      .shape_o(next_shape)
  );
  assign shape = Ahead && start_i ? next_shape : shape_i;

  logic [UNROLL-1:0][31:0] words;
  for (genvar i = 0; i < UNROLL; i++) begin : gen_word
    logic [15:0] at;
    always_comb begin
      at = '0;
      at[i] = Ahead ? start_i : first_i;
      at[UNROLL+i] = !at[i];
    end
    chain_word u_word (
        .at_i(at),
        .shape_i(shape),
        .step_i,
        .part_i,
        .digest_i(Ahead && start_i ? '0 : digest_i),
        .a_i,
        .b0_i,
        .b1_i,
        .seed_i,
        .word_o(words[i])
    );
  end

  if (Ahead) begin : gen_ahead
    word_t word_q;
    logic digest_q, unused;
    assign unused = first_i;
    always_ff @(posedge clk_i) begin
      word_q   <= words[0];
      digest_q <= start_i && next_shape.f_n32 && !fresh_i;
    end
    assign words_o = word_q ^ (digest_q && busy_i ? digest_i[0] : '0);
  end else begin : gen_now
    logic unused;
    assign unused  = ^{clk_i, busy_i, next_shape};
    assign words_o = words;
  end
endmodule

`default_nettype wire
