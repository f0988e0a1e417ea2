// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The next word of the block. All that stands behind I, a number and a security string is two bytes
// off a word, and nothing of XMSS is. In the last word of a message that is not whole the mark of
// the padding follows.
module hbs_verify_words
  import hbs_verify_pkg::*;
(
    input wire clk_i,
    input wire xmss_i,
    input wire source_t source_i,
    input wire push_i,
    input wire hash_e hash_i,
    input wire [1:0] bytes_i,  // of the stream's word, 0 if all
    input wire [31:0] id_i,
    input wire [31:0] number_i,
    input wire [31:0] stream_i,
    input wire [31:0] value_i,
    input wire [31:0] digest_i,
    input wire [63:0] bits_i,  // length of the hash's input
    output logic [31:0] word_o
);
  logic [31:0] ended, whole, behind;
  always_comb begin
    unique case (bytes_i)
      2'd1: ended = {stream_i[31:24], 24'h800000};
      2'd2: ended = {stream_i[31:16], 16'h8000};
      2'd3: ended = {stream_i[31:8], 8'h80};
      default: ended = stream_i;
    endcase
  end
  assign whole = ({32{source_i.id}} & id_i) | ({32{source_i.number}} & number_i) |
      ({32{source_i.high}} & bits_i[63:32]) | ({32{source_i.low}} & bits_i[31:0]);
  assign behind = ({32{source_i.stream}} & ended) | ({32{source_i.value}} & value_i) |
      ({32{source_i.digest}} & digest_i) | {source_i.mark, 31'd0};

  logic [15:0] half_q;
  logic aligned;
  assign aligned = source_i.id || source_i.number || source_i.high || source_i.low;
  assign word_o  = xmss_i ? whole | behind : aligned ? whole : {half_q, behind[31:16]};
  always_ff @(posedge clk_i) begin
    if (push_i) half_q <= source_i.number ? security_string(hash_i) : behind[15:0];
  end
endmodule

`default_nettype wire
