// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The one block of F, H, PRF and PRF_keygen with SHAKE: toByte(type), KEY, one or two values,
// padding; by wiring. RFC 8391, Section 5.1 (Implementing the Functions); for n = 24 SP 800-208,
// Section 5.4 (XMSS and XMSS^MT Parameter Sets with SHAKE256/192). An address and the index of PRF
// have 32 bytes whatever n is.
module xmss_shake_block
  import sha256_pkg::state_t;
  import xmss_pkg::*;
  import xmss_shake_pkg::*;
(
    input wire n24_i,
    input wire short_i,  // 136 bytes, not 168
    input wire type_e type_i,
    input wire state_t key_i,
    input wire state_t first_i,
    input wire state_t second_i,  // of TypeH and TypeKeygen
    output words_t block_o
);
  state_t key, first, second;
  assign key = turned(key_i);
  assign first = turned(first_i);
  assign second = turned(second_i);

  logic two;
  logic [31:0] head;
  words_t wide, narrow;
  assign two  = type_i == TypeH || type_i == TypeKeygen;
  assign head = {5'd0, type_i, 24'd0};
  always_comb begin
    wide = '0;
    wide[23:7] = {first, key, head};
    if (two) wide[31:24] = second;
    wide[two?32 : 24] = 32'h1f;
  end
  always_comb begin
    narrow = '0;
    narrow[6:0] = {key[5:0], head};
    unique case (type_i)
      TypePrf: narrow[15:7] = {32'h1f, first};
      TypeKeygen: narrow[21:7] = {32'h1f, second, first[5:0]};
      TypeH: narrow[19:7] = {32'h1f, second[5:0], first[5:0]};
      default: narrow[13:7] = {32'h1f, first[5:0]};
    endcase
  end
  always_comb begin
    block_o = n24_i ? narrow : wide;
    block_o[2*Lanes-1][31] = !short_i;
    block_o[2*ShortLanes-1][31] = short_i;
  end
endmodule

`default_nettype wire
