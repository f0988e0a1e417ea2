// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Program counter, loop counter and control operations of one microprogram.
`default_nettype none

module ed25519_seq
  import ed25519_pkg::*;
#(
    parameter bit HALF_SIZE = 1'b0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire [9:0] entry_i,
    // Fields of the word at `pc_o`; `advance_i` when it is carried out.
    input wire control_e control_i,
    input wire [9:0] imm_i,
    input wire advance_i,
    input wire [1:0] conditions_i,
    input wire digit_zero_i,
    // With HALF_SIZE: the pair is there, the bits of u beyond those of v, and whether two multiples
    // are due.
    input wire halved_i,
    input wire [7:0] more_i,
    input wire both_i,
    output logic [9:0] pc_o,
    output logic running_o,
    output logic hold_o,
    output logic shift_o,
    output logic again_o,
    output logic [1:0] recode_o,
    // A word is carried out that every run of an operation has so often (ed25519_effects).
    output logic mark_o,
    output logic done_o
);
  logic [9:0] pc_q, pc_d, counter_q, counter_d;
  logic running_q, more, back, window, again, condition;

  assign pc_o = pc_q;
  assign running_o = running_q;
  assign more = counter_q != '0;
  assign condition = HALF_SIZE && imm_i[1] ? halved_i : conditions_i[imm_i[0]];
  assign hold_o = control_i == ControlWait && !condition;
  assign window = control_i == ControlWindow || (HALF_SIZE && control_i == ControlWindowMore && !again);
  assign again = HALF_SIZE && control_i == ControlWindowMore && both_i;
  assign again_o = advance_i && again;
  assign done_o = advance_i && control_i == ControlEnd;
  assign mark_o = advance_i && control_i inside {ControlSet, ControlSetMore, ControlRecode, ControlJump};
  assign recode_o[0] = advance_i && control_i == ControlRecode && !imm_i[0];
  assign recode_o[1] = advance_i && control_i == ControlRecode && imm_i[0];

  always_comb begin
    unique case (control_i)
      ControlLoop, ControlWindow: back = more;
      ControlWindowMore: back = HALF_SIZE && more && !again;
      ControlSkip: back = more && digit_zero_i;
      default: back = 1'b0;
    endcase
    shift_o = advance_i && (window || (control_i == ControlSkip && back));
    pc_d = back || control_i == ControlJump ? imm_i : pc_q + 10'd1;
    if (again) pc_d = pc_q - 10'(AdditionWords - 1);
    counter_d = counter_q;
    if (control_i == ControlSet) counter_d = imm_i;
    else if (HALF_SIZE && control_i == ControlSetMore) counter_d = imm_i + 10'(more_i);
    else if (back) counter_d = counter_q - 10'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      pc_q <= '0;
      counter_q <= '0;
    end else if (start_i) begin
      running_q <= 1'b1;
      pc_q <= entry_i;
    end else if (advance_i) begin
      running_q <= !done_o;
      pc_q <= pc_d;
      counter_q <= counter_d;
    end
  end
endmodule

`default_nettype wire
