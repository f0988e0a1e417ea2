// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The next word that XMSS puts into the block: RFC 8391, Section 5.1 (Implementing the Functions);
// for n = 24 SP 800-208, Section 5.2 (XMSS and XMSS^MT Parameter Sets with SHA-256/192).
module hbs_verify_xmss_words
  import hbs_verify_pkg::*;
(
    input wire n24_i,
    input wire xmss_state_e state_i,
    input wire job_e job_i,
    input wire [3:0] count_i,
    input wire ends_i,  // the state's last word
    input wire streams_i,
    input wire beside_i,  // the value that is masked lies in the block
    input wire [31:0] stream_i,
    input wire [31:0] root_i,
    input wire [31:0] index_i,
    input wire [31:0] digest_i,
    input wire [31:0] value_i,
    input wire [31:0] block_i,
    input wire [31:0] stack_i,  // of the digest of what lies below
    input wire [31:0] popped_i,
    output logic [31:0] pushed_o,  // onto the stack
    output logic [31:0] word_o
);
  // X of toByte(X, p), and lengths in bits.
  logic [1:0] type_x;
  logic [10:0] bits;
  logic node;
  assign node   = job_i inside {JobLeaf, JobPath};
  assign type_x = job_i == JobSeed ? 2'd3 : job_i == JobMessage ? 2'd2 : {1'b0, node};
  assign bits   = node ? (n24_i ? 11'd608 : 11'd1024) : n24_i ? 11'd416 : 11'd768;

  // A word from elsewhere, to which the digest or a number is added.
  logic [31:0] given;
  assign pushed_o = !count_i[3] ? stack_i : n24_i && count_i inside {4'd14, 4'd15} ? '0 : value_i;
  always_comb begin
    unique case (state_i)
      XmSeed, XmRandom: given = stream_i;
      XmRoot: given = root_i;
      XmPlace: given = ends_i ? index_i : '0;
      XmMask: given = streams_i ? stream_i : beside_i ? block_i : value_i;
      XmPush: given = pushed_o;
      XmPop: given = popped_i;
      default: given = '0;
    endcase
  end
  always_comb begin
    word_o = given ^ (state_i inside {XmKey, XmMask} ? digest_i : '0);
    if (state_i == XmConst && ends_i) word_o[1:0] = type_x;
    if (state_i == XmPad) word_o[31] = count_i == '0;
    if (state_i == XmPad && ends_i) word_o[10:0] = bits;
  end
endmodule

`default_nettype wire
