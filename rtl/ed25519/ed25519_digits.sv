// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The digits of the scalars and what they select: a register of the table, or a word of the
// fixed-base ROM.
//
// A negative digit exchanges Y - X and Y + X here; `negative_o` says so for the product with 2 d T.
// For the source SrcSign it is `flip_i`, the sign that x is to change.
`default_nettype none

module ed25519_digits
  import ed25519_pkg::*;
#(
    parameter bit FAST = 1'b0,
    parameter bit HALF_SIZE = 1'b0
) (
    input wire clk_i,
    input wire [1:0] load_i,
    input wire [255:0] value_i,
    input wire [1:0] recode_i,
    input wire shift_i,
    // With HALF_SIZE: the pair, and whether one of two multiples due has been added.
    input wire halved_t halved_i,
    input wire again_i,
    input wire [6:0] source_i,
    input wire flip_i,
    output logic zero_o,
    // A second multiple is due.
    output logic both_o,
    output logic [6:0] source_o,
    output logic negative_o,
    // Where the fixed-base ROM is read.
    output logic [7:0] rom_entry_o,
    output logic [1:0] rom_part_o
);
  logic table_none, table_negative, rom_negative, rom_table;
  logic [2:0] table_entry;
  logic [1:0] table_part, rom_port;

  assign rom_table  = source_i >= SrcRom + 7'd3;
  assign rom_port   = 2'(source_i - (rom_table ? SrcRom + 7'd3 : SrcRom));
  assign rom_part_o = rom_negative && !rom_port[1] ? rom_port ^ 2'd1 : rom_port;
  assign table_part = table_negative && !source_i[1] ? source_i[1:0] ^ 2'd1 : source_i[1:0];
  always_comb begin
    negative_o = source_i >= SrcTable && table_negative;
    if (source_i >= SrcRom) negative_o = rom_negative;
    if (source_i == SrcSign) negative_o = flip_i;
  end

  always_comb begin
    source_o = source_i;
    if (source_i[6:2] == SrcTable[6:2] && !table_none) source_o = 7'(TableBase) + {2'b00, table_entry, table_part};
  end

  if (FAST) begin : gen_fast
    ed25519_digits_comb u_comb (
        .clk_i,
        .load_i(load_i[0]),
        .value_i,
        .recode_i(recode_i[0]),
        .shift_i,
        .table_i(rom_table),
        .entry_o(rom_entry_o),
        .negative_o(rom_negative)
    );
    if (HALF_SIZE) begin : gen_half
      ed25519_digits_half u_half (
          .clk_i,
          .halved_i,
          .recode_i(recode_i[1]),
          .shift_i,
          .again_i,
          .none_o(table_none),
          .both_o,
          .entry_o(table_entry),
          .negative_o(table_negative)
      );
      logic unused_load;
      assign unused_load = load_i[1];
    end else begin : gen_whole
      ed25519_digits_naf u_naf (
          .clk_i,
          .load_i(load_i[1]),
          .value_i,
          .recode_i(recode_i[1]),
          .shift_i,
          .none_o(table_none),
          .entry_o(table_entry),
          .negative_o(table_negative)
      );
      assign both_o = 1'b0;
      logic unused_half;
      assign unused_half = ^{halved_i, again_i};
    end
    assign zero_o = table_none;
  end else begin : gen_paper
    ed25519_digits_paper u_digits (
        .clk_i,
        .load_i(load_i[0]),
        .value_i,
        .shift_i,
        .zero_o,
        .table_entry_o(table_entry),
        .table_none_o(table_none),
        .rom_entry_o(rom_entry_o)
    );
    assign table_negative = 1'b0;
    assign rom_negative   = 1'b0;
    assign both_o         = 1'b0;
    logic unused_paper;
    assign unused_paper = ^{recode_i, load_i[1], halved_i, again_i};
  end
endmodule

`default_nettype wire
