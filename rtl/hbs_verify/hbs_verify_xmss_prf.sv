// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The words of PRF (RFC 8391, Section 5.1 (Implementing the Functions); for n = 24 SP 800-208,
// Section 5.2 (XMSS and XMSS^MT Parameter Sets with SHA-256/192)) for the address of the hash in
// work. With n = 32 the first block is the same for a whole key, and the state after it is kept;
// with n = 24 the second block has nothing but the length.
module hbs_verify_xmss_prf
  import hbs_verify_pkg::*;
(
    input wire n24_i,
    input wire second_i,
    input wire [3:0] slot_i,
    input wire [31:0] seed_i,  // its word, with n = 24 in slots 1 to 6
    input wire [31:0] index_i,  // idx_sig, then of the node in work
    input wire place_t place_i,
    output logic turn_o,  // the slot takes a word of SEED
    output logic [31:0] word_o
);
  // The address' words 3 to 7; those before are 0.
  logic [4:0][31:0] address;
  logic path, leaf;
  assign path = place_i.job == JobPath;
  assign leaf = place_i.job == JobLeaf;
  assign address[0] = {30'd0, path, leaf};
  assign address[1] = path ? '0 : index_i;
  assign address[2] = {25'd0, path || leaf ? {2'd0, place_i.level} : place_i.chain};
  assign address[3] = path ? {1'b0, index_i[31:1]} : {25'd0, leaf ? {1'b0, place_i.node[6:1]} : {3'd0, place_i.step}};
  assign address[4] = {30'd0, place_i.part};

  logic [3:0] at;
  assign at = slot_i - (n24_i ? 4'd10 : 4'd3);
  assign turn_o = n24_i && !second_i && slot_i inside {[4'd1 : 4'd6]};
  always_comb begin
    word_o = '0;
    if (second_i) word_o[8:0] = slot_i == '1 ? 9'd480 : '0;
    else begin
      for (int unsigned i = 0; i < 5; i++) word_o |= {32{at == 4'(i)}} & address[i];
      if (turn_o) word_o = seed_i;
      if (n24_i && slot_i == '0) word_o[1:0] = 2'd3;
      if (slot_i == (n24_i ? 4'd15 : 4'd8)) word_o[31] = 1'b1;
      if (!n24_i && slot_i == '1) word_o[9:0] = 10'd768;
    end
  end
endmodule

`default_nettype wire
