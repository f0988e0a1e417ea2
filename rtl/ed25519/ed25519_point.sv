// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The point unit: a microprogram on one pipelined multiplier.
//
// The word at the program counter is carried out in the cycle in which both factors are there: in a register,
// or among the results of this cycle. All results are written LATENCY cycles after issue, in order, so the term of
// the butterfly, read with the results, is always the latest.
`default_nettype none

module ed25519_point
  import ed25519_pkg::*;
  import mul25519_pkg::*;
#(
    parameter bit FAST = 1'b0,
    parameter bit FIXED_TIME = 1'b1,
    parameter int unsigned LATENCY = 2,
    parameter int unsigned TILE_B = 17
) (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire op_e op_i,
    input wire [255:0] inputs_i[3],
    input wire [511:0] digest_i,
    input wire [1:0] conditions_i,
    output logic done_o,
    output logic failed_o,
    output logic out_point_o,
    output logic out_scalar_o,
    output logic [255:0] out_o,
    // A product is issued in this cycle.
    output logic busy_o
);
  localparam int unsigned REGS = FAST ? FastRegs : PaperRegs;

  logic [9:0] pc, entry;
  word_t word;
  logic running, hold, shift, advance, issue, stall;
  logic [1:0] recode;

  always_comb begin
    unique case (op_i)
      OpKeygen: entry = FAST ? FastKeygen : PaperKeygen;
      OpSign:   entry = FAST ? FastSign : PaperSign;
      default:  entry = FAST ? FastVerify : PaperVerify;
    endcase
  end

  if (FAST) begin : gen_fast
    ed25519_ucode_fast u_ucode (
        .address_i(pc),
        .word_o(word)
    );
  end else begin : gen_paper
    ed25519_ucode_paper u_ucode (
        .address_i(pc),
        .word_o(word)
    );
  end

  ed25519_seq u_seq (
      .clk_i,
      .rst_ni,
      .start_i,
      .entry_i(entry),
      .control_i(word.control),
      .imm_i(word.imm),
      .advance_i(advance),
      .conditions_i,
      .digit_zero_i(digit_zero && (FAST || !FIXED_TIME)),
      .pc_o(pc),
      .running_o(running),
      .hold_o(hold),
      .shift_o(shift),
      .recode_o(recode),
      .done_o
  );

  logic digit_zero, b_negative;
  logic [  6:0] b_source;
  logic [  1:0] load;
  logic [254:0] rom_value;
  logic [256:0] r, s, m, r_final;
  ed25519_digits #(
      .FAST(FAST)
  ) u_digits (
      .clk_i,
      .load_i(load),
      .value_i(r[255:0]),
      .recode_i(recode),
      .shift_i(shift),
      .source_i(word.b),
      .zero_o(digit_zero),
      .source_o(b_source),
      .negative_o(b_negative),
      .rom_o(rom_value)
  );

  // In flight: index 0 with its factors in the operand registers, index LATENCY - 1 with its results.
  word_t flight_q[LATENCY];
  logic [LATENCY-1:0] valid_q, swap_q;
  // verilator lint_off UNUSEDSIGNAL
  word_t last;  // its control fields have done their work
  // verilator lint_on UNUSEDSIGNAL
  logic  last_valid;
  assign last = flight_q[LATENCY-1];
  assign last_valid = valid_q[LATENCY-1];

  // A word waits while a factor is due later than this cycle, or, where it asks, while anything is in flight.
  always_comb begin
    stall = word.drain && |valid_q;
    for (int unsigned k = 0; k < LATENCY - 1; k++) begin
      if (valid_q[k] && word.issue) begin
        stall |= hits(word.a, flight_q[k].dr, flight_q[k].ds, flight_q[k].dm);
        stall |= hits(b_source, flight_q[k].dr, flight_q[k].ds, flight_q[k].dm);
      end
    end
  end
  function automatic logic hits(logic [6:0] source, logic [5:0] dr, logic [5:0] ds, logic [5:0] dm);
    return !source[6] && (source[5:0] == dr || source[5:0] == ds || source[5:0] == dm);
  endfunction

  assign advance = running && !hold && !stall;
  assign issue   = advance && word.issue;
  assign busy_o  = issue;

  logic [5:0] read_address[3], write_address[3];
  logic [256:0] read_data[3], write_data[3], a_special, c_special, c;
  logic [255:0] b_special;
  logic [  1:0] roots;
  assign read_address  = '{word.a[5:0], b_source[5:0], last.c[5:0]};
  assign write_address = '{last.dr, last.ds, last.dm};
  assign write_data[0] = r_final;
  assign write_data[1] = swap_q[LATENCY-1] ? m : s;
  assign write_data[2] = swap_q[LATENCY-1] ? s : m;

  ed25519_regs #(
      .REGS(REGS)
  ) u_regs (
      .clk_i,
      .write_i(last_valid),
      .write_address_i(write_address),
      .write_data_i(write_data),
      .read_address_i(read_address),
      .read_data_o(read_data)
  );
  ed25519_sources u_sources (
      .a_i(word.a),
      .b_i(b_source),
      .c_i(last.c),
      .inputs_i,
      .digest_i,
      .roots_i(roots),
      .rom_i(rom_value),
      .a_o(a_special),
      .b_o(b_special),
      .c_o(c_special)
  );

  logic [256:0] a_d, a_q;
  logic [255:0] b_d, b_q;
  always_comb begin
    a_d = word.a[6] ? a_special : read_data[0];
    b_d = b_source[6] ? b_special : read_data[1][255:0];
    for (int unsigned j = 0; j < 3; j++) begin
      if (last_valid && !word.a[6] && word.a[5:0] == write_address[j]) a_d = write_data[j];
      if (last_valid && !b_source[6] && b_source[5:0] == write_address[j]) b_d = write_data[j][255:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (issue) begin
      a_q <= a_d;
      b_q <= b_d;
    end
  end

  always_ff @(posedge clk_i) begin
    flight_q[0] <= word;
    swap_q <= LATENCY'({swap_q, word.is_signed && b_negative});
    for (int unsigned k = 1; k < LATENCY; k++) flight_q[k] <= flight_q[k-1];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= LATENCY'({valid_q, issue});
  end

  // The multiplier and what its results do.
  assign c = last.c == SrcProduct ? r : last.c[6] ? c_special : read_data[2];
  mul25519 #(
      .LATENCY(LATENCY),
      .TILE_B (TILE_B)
  ) u_mul (
      .clk_i,
      .mode_i(flight_q[0].mode),
      .a_i(a_q),
      .b_i(b_q),
      .c_i(c),
      .reversed_i(last.reversed),
      .r_o(r),
      .s_o(s),
      .m_o(m)
  );
  ed25519_effects u_effects (
      .clk_i,
      .start_i,
      .valid_i(last_valid),
      .effect_i(last.effect),
      .signs_i({inputs_i[1][255], inputs_i[0][255]}),
      .r_i(r),
      .s_i(s),
      .m_i(m),
      .r_o(r_final),
      .failed_o,
      .roots_o(roots),
      .load_o(load),
      .out_point_o,
      .out_scalar_o,
      .out_o
  );
endmodule
