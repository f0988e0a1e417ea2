// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Commands, streams and answers, from every state of the control and with any inputs. A command is
// taken where nothing is in work, and no answer is shown in the next cycle. An answer stays until
// it is taken. After a wrong word the rest of the stream is taken, each word as it comes, and the
// answer is there in the cycle after the last one. A last word that is not wrong is one of the path
// of the tree that decides, or the one that XMSS says ends it. A stack that was changed is refused:
// the rest of the stream is taken; XMSS asks for no word where it says so. Nothing is answered but
// a stream that is refused and a root that was compared.
`default_nettype none

module hbs_answer_proof
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    input wire cmd_hss_i,
    input wire cmd_xmss_i,
    input wire cmd_digest_i,
    input wire cmd_good_i,
    input wire rsp_ready_i,
    input wire in_valid_i,
    input wire in_last_i,
    input wire [31:0] word_i,
    input wire set_t set_i,
    input wire next_n24_i,
    input wire [31:0] number_i,
    input wire right_i,
    input wire message_none_i,
    input wire message_last_i,
    input wire [1:0] message_bytes_i,
    input wire xmss_due_i,
    input wire xmss_fits_i,
    input wire xmss_ends_i,
    input wire xmss_done_i,
    input wire xmss_head_i,
    input wire xmss_fault_i,
    input wire bottom_i,
    input wire passes_i,
    input wire [4:0] fill_i,
    input wire [3:0] at_i,
    input wire block_done_i,
    input wire fetch_i,
    input wire push_value_i,
    input wire push_digest_i,
    input wire chains_done_i,
    input wire block_ready_i,
    output logic differs_o
);
  logic command_ready, accept, refuse, valid, in_ready, take, wrong, xmss;
  assign take = in_ready && in_valid_i;
  state_e state;
  hbs_verify_control #(
      .XMSS(1)
  ) u_control (
      .cmd_ready_o(command_ready),
      .accept_o   (accept),
      .refuse_o   (refuse),
      .rsp_valid_o(valid),
      .in_ready_o (in_ready),
      .take_o     (),
      .state_o    (state),
      .hash_o     (),
      .count_o    (),
      .load_o     (),
      .given_o    (),
      .digest_o   (),
      .xmss_o     (xmss),
      .swap_o     (),
      .single_o   (),
      .wrong_o    (wrong),
      .first_o    (),
      .push_o     (),
      .source_o   (),
      .xmss_due_i (xmss_due_i && !xmss_fault_i),
      .*
  );

  // In one cycle.
  logic drains, early, idle_takes;
  assign drains = state == StDrain;
  assign early = take && in_last_i && !wrong && !drains && !(state == StSide && bottom_i) && !(state == StXmss && xmss_ends_i);
  assign idle_takes = (state == StIdle || state == StAnswer) && in_ready;

  // From one cycle to the next.
  logic known_q, accepted_q, refused_q, waits_q, ended_q, failed_q, drains_q, judged_q, faulty_q, answers_q;
  always_ff @(posedge clk_i) begin
    known_q <= rst_ni;
    accepted_q <= accept;
    refused_q <= refuse;
    waits_q <= valid && !rsp_ready_i;
    ended_q <= take && in_last_i && (wrong || drains);
    failed_q <= wrong && !(take && in_last_i);
    drains_q <= drains && !(take && in_last_i);
    judged_q <= state == StJudge;
    faulty_q <= state == StXmss && xmss_fault_i;
    answers_q <= state == StJudge || valid;
  end
  assign differs_o = early || idle_takes || (drains && !in_ready) || (take && !in_valid_i) || (accept && state != StIdle) || (command_ready && valid) ||
      (known_q && ((accepted_q && valid) || (refused_q && !drains) || (waits_q && !valid) || (ended_q && !valid) || (failed_q && !drains) ||
                   (drains_q && !drains) || (faulty_q && !drains) || (judged_q && !(state inside {StAnswer, StId, StDrain})) || (valid && !ended_q && !answers_q)));
endmodule

`default_nettype wire
