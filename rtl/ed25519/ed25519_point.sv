// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One microprogram's state: registers, digits, what is in flight. Microcode, fixed-base ROM and
// multiplier are shared by all lanes; a lane issues in its own slots.
//
// The word at the program counter is carried out in the cycle in which both factors are there: in a
// register, or among the results of this cycle. All results are written LATENCY cycles after issue,
// in order, so the term of sum and difference, taken one cycle before with the results of that
// cycle, is always the latest.
`default_nettype none

module ed25519_point
  import ed25519_pkg::*;
  import mul25519_pkg::*;
#(
    parameter bit FAST = 1'b0,
    parameter bit FIXED_TIME = 1'b1,
    parameter bit HALF_SIZE = 1'b0,
    parameter int unsigned LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    // With the reset of control: zeros go to every register.
    input wire wipe_i,
    input wire start_i,
    input wire op_e op_i,
    input wire [255:0] inputs_i[3],
    input wire [511:0] digest_i,
    input wire [1:0] conditions_i,
    output logic done_o,
    // The operation was carried out whole, and each of its checks passed.
    output logic sound_o,
    output logic out_point_o,
    output logic out_scalar_o,
    output logic [255:0] out_o,
    // The shared part: word at `pc_o` and ROM word, in the lane's slots; factors of the product
    // that is issued.
    input wire slot_i,
    output logic [9:0] pc_o,
    input wire word_t word_i,
    output logic [7:0] rom_entry_o,
    output logic [1:0] rom_part_o,
    input wire [254:0] rom_i,
    output logic issue_o,
    output logic [256:0] a_o,
    output logic [255:0] b_o,
    // In the first cycle of a product, and the cycle before its results; zero when it is not this
    // lane's.
    output mode_e mode_o,
    output logic twice_o,
    output logic [256:0] c_o,
    input wire [256:0] r_i,
    input wire [256:0] s_i,
    input wire [256:0] m_i
);
  localparam int unsigned REGS = HALF_SIZE ? HalfRegs : FAST ? FastRegs : PaperRegs;

  logic [9:0] entry;
  word_t word;
  assign word = word_i;
  logic running, hold, shift, advance, stall, digit_zero, both, again, halved_done;
  halved_t halved;
  logic [1:0] recode;
  logic mark, failed;
  logic [3:0] checks, marks, checks_due, marks_due;

  always_comb begin
    unique case (op_i)
      OpKeygen: entry = HALF_SIZE ? HalfKeygen : FAST ? FastKeygen : PaperKeygen;
      OpSign:   entry = HALF_SIZE ? HalfSign : FAST ? FastSign : PaperSign;
      default:  entry = HALF_SIZE ? HalfVerify : FAST ? FastVerify : PaperVerify;
    endcase
    unique case (op_i)
      OpKeygen: {checks_due, marks_due} = HALF_SIZE ? HalfKeygenDone : FAST ? FastKeygenDone : PaperKeygenDone;
      OpSign:   {checks_due, marks_due} = HALF_SIZE ? HalfSignDone : FAST ? FastSignDone : PaperSignDone;
      default:  {checks_due, marks_due} = HALF_SIZE ? HalfVerifyDone : FAST ? FastVerifyDone : PaperVerifyDone;
    endcase
  end
  assign sound_o = !failed && checks == checks_due && marks == marks_due;

  ed25519_seq #(
      .HALF_SIZE(HALF_SIZE)
  ) u_seq (
      .clk_i,
      .rst_ni,
      .start_i,
      .entry_i(entry),
      .control_i(word.control),
      .imm_i(word.imm),
      .advance_i(advance),
      .conditions_i,
      .digit_zero_i(digit_zero && (FAST || !FIXED_TIME)),
      .halved_i(halved_done),
      .more_i(halved.more),
      .both_i(both),
      .pc_o,
      .running_o(running),
      .hold_o(hold),
      .shift_o(shift),
      .again_o(again),
      .recode_o(recode),
      .mark_o(mark),
      .done_o
  );

  logic b_negative;
  logic [6:0] b_source;
  logic [1:0] load;
  logic flip;
  ed25519_digits #(
      .FAST(FAST),
      .HALF_SIZE(HALF_SIZE)
  ) u_digits (
      .clk_i,
      .load_i(load | {2{wipe_i}}),
      .value_i(r_i[255:0]),
      .recode_i(recode | {2{wipe_i}}),
      .shift_i(shift),
      .halved_i(halved),
      .again_i(again),
      .source_i(word.b),
      .flip_i(flip),
      .zero_o(digit_zero),
      .both_o(both),
      .source_o(b_source),
      .negative_o(b_negative),
      .rom_entry_o,
      .rom_part_o
  );

  // Some fields of the words in flight have done their work.
  // verilator lint_off UNUSEDSIGNAL
  word_t first, earlier, last;
  // verilator lint_on UNUSEDSIGNAL
  logic first_valid, earlier_valid, last_valid;
  ed25519_flight #(
      .LATENCY(LATENCY)
  ) u_flight (
      .clk_i,
      .rst_ni,
      .word_i(word),
      .b_source_i(b_source),
      .exchange_i(word.is_signed && b_negative),
      .issue_i(issue_o),
      .stall_o(stall),
      .first_o(first),
      .earlier_o(earlier),
      .last_o(last),
      .first_valid_o(first_valid),
      .earlier_valid_o(earlier_valid),
      .last_valid_o(last_valid)
  );

  assign advance = slot_i && running && !hold && !stall;
  assign issue_o = advance && word.issue;

  logic [5:0] read_address[3], write_address[3];
  logic [256:0] read_data[3], write_data[3], a_source, a_special, c_special;
  logic [255:0] b_special;
  logic [  1:0] roots;
  assign read_address  = '{word.a[5:0], b_source[5:0], earlier.c[5:0]};
  assign write_address = '{last.dr, last.ds, last.dm};
  assign write_data    = '{r_i, s_i, m_i};

  ed25519_regs #(
      .REGS(REGS)
  ) u_regs (
      .clk_i,
      .wipe_i,
      .write_i(last_valid),
      .write_address_i(write_address),
      .write_data_i(write_data),
      .read_address_i(read_address),
      .read_data_o(read_data)
  );
  ed25519_sources u_sources (
      .a_i(word.a),
      .b_i(b_source),
      .c_i(earlier.c),
      .inputs_i,
      .digest_i,
      .roots_i(roots),
      .rom_i,
      .a_o(a_source),
      .b_o(b_special),
      .c_o(c_special)
  );

  if (HALF_SIZE) begin : gen_half
    ed25519_halve u_halve (
        .clk_i,
        .start_i,
        .load_i(wipe_i || (last_valid && last.effect == EffectHalve)),
        .k_i(r_i[252:0]),
        .done_o(halved_done),
        .halved_o(halved)
    );
    assign a_special = word.a == SrcMultiplier ? 257'(halved.v) : a_source;
  end else begin : gen_whole
    assign {halved, halved_done} = '0;
    assign a_special = a_source;
  end

  ed25519_select u_select (
      .wipe_i,
      .a_i(word.a),
      .b_i(b_source),
      .c_i(earlier.c),
      .term_i(earlier_valid),
      .read_i(read_data),
      .a_special_i(a_special),
      .b_special_i(b_special),
      .c_special_i(c_special),
      .write_i(last_valid),
      .write_address_i(write_address),
      .write_data_i(write_data),
      .a_o,
      .b_o,
      .c_o
  );

  assign mode_o  = first_valid ? first.mode : ModeField;
  assign twice_o = first_valid && first.twice;
  ed25519_effects u_effects (
      .clk_i,
      .start_i (start_i || wipe_i),
      .mark_i  (mark),
      .valid_i (last_valid),
      .effect_i(last.effect),
      .signs_i ({inputs_i[1][255], inputs_i[0][255]}),
      .r_i,
      .s_i,
      .m_i,
      .flip_o  (flip),
      .failed_o(failed),
      .checks_o(checks),
      .marks_o (marks),
      .roots_o (roots),
      .load_o  (load),
      .out_point_o,
      .out_scalar_o,
      .out_o
  );
endmodule

`default_nettype wire
