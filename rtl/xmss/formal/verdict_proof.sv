// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The decision on a signature: while no further command is taken no answer is good, whatever all
// other registers hold and all inputs say, where the root is not the key's (`same_i` is 0); nor is
// one after a wiping within the verification, whatever `same_i` says. Both with one bit flipped in
// each of the two registers that decide. A verification begins with both as they should be.
`default_nettype none

module verdict_proof
  import xmss_pkg::*;
  import xmss_control_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    input wire offer_t offer_i,
    input wire work_t work_i,
    input wire sure_i,
    input wire kind_t kind_i,
    input wire rsp_ready_i,
    input wire stream_t stream_i,
    input wire [5:0] values_i,  // of the stream
    input wire done_i,
    input wire climb_t climb_i,
    input wire side_ready_i,
    input wire same_i,
    input wire [3:0] others_i,  // the other modules' progress
    output logic differs_o
);
  answer_t answer;
  xmss_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .cmd_valid_i,
      .offer_i,
      .work_i,
      .sure_i,
      .kind_i,
      .rsp_valid_o(),
      .rsp_ready_i,
      .rsp_o(answer),
      .stream_i,
      .item_valid_i(values_i[0]),
      .item_last_i(values_i[1]),
      .item_hash_i(values_i[2]),
      .block_valid_i(values_i[3]),
      .block_take_i(values_i[4]),
      .block_last_i(values_i[5]),
      .done_i,
      .climb_i,
      .side_ready_i,
      .same_i,
      .wiping_i(others_i[0]),
      .work_done_i(others_i[1]),
      .tree_done_i(others_i[2]),
      .out_done_i(others_i[3]),
      .state_o(),
      .absorbing_o(),
      .last_o(),
      .finished_o(),
      .prepared_o(),
      .stop_o()
  );

  // The code, or it with one bit flipped.
  function automatic logic near(logic [7:0] found, logic [7:0] code);
    near = found == code;
    for (int unsigned i = 0; i < 8; i++) near |= found == (code ^ (8'd1 << i));
  endfunction

  logic [7:0] due, verdict;
  logic exact, wiped, flipped, wipes, begins_q, goes_on_q, wipes_q, wiped_q;
  assign due = 8'(u_sequencer.due_q);
  assign verdict = 8'(u_sequencer.verdict_q);
  assign exact = due == DueRoot && (verdict == VerdictBad || verdict == VerdictError);
  assign wiped = near(due, DueWiped);
  assign flipped = (near(due, DueRoot) || wiped) && (near(verdict, VerdictBad) || near(verdict, VerdictError));
  assign wipes = others_i[0] && due == DueRoot;
  always_ff @(posedge clk_i) begin
    begins_q <= rst_ni && offer_i.accept && offer_i.judges;
    goes_on_q <= rst_ni && !offer_i.accept && !same_i && flipped;
    wipes_q <= rst_ni && !offer_i.accept && wipes;
    wiped_q <= rst_ni && !offer_i.accept && wiped;
  end

  // The claims: what is held stays, and no answer is good.
  logic left, good;
  assign left = (begins_q && !exact) || (goes_on_q && !flipped) || (wipes_q && due != DueWiped) || (wiped_q && !wiped);
  assign good = (answer.status == StatusOk || answer.verdict == VerdictGood) && ((flipped && !same_i) || wiped);
  assign differs_o = left || good;
endmodule

`default_nettype wire
