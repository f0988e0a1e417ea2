// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Messages of every length below 2^60 bytes, and public keys, of LMS and of XMSS, as the control
// has them: a start of two cycles or more, then words, with any pauses. The last word is told from
// all others before it is due, with its bytes, and after it the length is that of all that is
// hashed. In between the words that are taken, counted here, are those that the core has counted.
// A hash without a message has the length of its words, and of two bytes more.
`default_nettype none

module hbs_length_proof
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire xmss_i,
    input wire load_i,
    input wire [59:0] length_i,
    input wire start_i,
    input wire bottom_i,
    input wire next_n24_i,
    input wire word_i,
    input wire n24_i,
    input wire clear_i,
    input wire push_i,
    output logic differs_o
);
  logic none, last;
  logic [ 1:0] bytes;
  logic [63:0] bits;
  hbs_verify_length u_length (
      .clk_i,
      .xmss_i,
      .load_i,
      .length_i,
      .start_i,
      .bottom_i,
      .next_n24_i,
      .word_i,
      .n24_i,
      .clear_i,
      .push_i,
      .none_o (none),
      .bytes_o(bytes),
      .last_o (last),
      .bits_o (bits)
  );

  typedef enum logic [2:0] {
    Idle,  // any words, and anything else
    Hash,  // words of a hash without a message
    Start,  // the start has lasted for a cycle
    Ready,  // for two at least, or words have come
    Ended
  } phase_e;
  phase_e phase_q;
  logic [3:0] kind_q;  // what stays as it is as long as a hash is in work
  logic [59:0] taken_q;  // words of the message, or of the hash
  logic [61:0] length, left;
  logic empty, whole, kept, ends;
  assign length = bottom_i ? {2'd0, u_length.length_q} : next_n24_i ? 62'd48 : 62'd56;
  assign left   = length - {taken_q, 2'd0};
  assign empty  = length == '0;
  assign whole  = length[1:0] == '0;
  assign ends   = left <= 62'd4;

  // The control takes no word but these, and each goes into the block.
  logic right;
  assign kept = kind_q == {xmss_i, bottom_i, next_n24_i, n24_i};
  always_comb begin
    unique case (phase_q)
      Hash: right = !load_i && !word_i && kept && !xmss_i && taken_q < 60'd1024;
      Start: right = !load_i && !word_i && !clear_i && kept && (start_i || !push_i);
      Ready: right = !load_i && !clear_i && kept && (start_i ? !word_i && taken_q == '0 : push_i == word_i && !(word_i && empty));
      Ended: right = !load_i && !word_i && !start_i && !push_i && kept;
      default: right = !word_i && !(load_i && start_i);
    endcase
  end
  always_ff @(posedge clk_i) begin
    kind_q <= {xmss_i, bottom_i, next_n24_i, n24_i};
    if (!rst_ni || !right) phase_q <= Idle;
    else if (clear_i) phase_q <= Hash;
    else if (start_i) phase_q <= phase_q inside {Start, Ready} ? Ready : Start;
    else if (phase_q == Start) phase_q <= Idle;
    else if (phase_q == Ready && word_i && ends) phase_q <= Ended;
    if (clear_i || start_i) taken_q <= '0;
    else if (push_i) taken_q <= taken_q + 60'd1;
  end

  // I, a number, the security string and C, or toByte(2, p), r, the root and idx_sig.
  logic [61:0] ahead;
  assign ahead = xmss_i ? (n24_i ? 62'd76 : 62'd128) : n24_i ? 62'd46 : 62'd54;
  always_comb begin
    unique case (phase_q)
      Hash: differs_o = !xmss_i && kept && bits != {taken_q[58:0], 5'd16};
      Start: differs_o = kept && (u_length.words_q != (empty ? ahead[60:2] : 59'(whole)) || none != empty);
      Ready: begin
        differs_o = kept && (none != empty || (!empty && (last != ends || left == '0 || left > length)));
        differs_o |= kept && !empty && u_length.words_q != 59'(taken_q) + 59'(whole);
        differs_o |= kept && last && !empty && bytes != length[1:0];
        differs_o |= kept && empty && bits != {ahead[60:0], 3'd0};
      end
      Ended: differs_o = kept && (!none || bits != {ahead[60:0] + length[60:0], 3'd0});
      default: differs_o = 1'b0;
    endcase
  end
endmodule

`default_nettype wire
