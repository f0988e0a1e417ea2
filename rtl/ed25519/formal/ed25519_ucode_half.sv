// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In place of the microcode where the wiping of the core is proven: a word that holds where it was
// read, in every field.
`default_nettype none

module ed25519_ucode_half
  import ed25519_pkg::*;
(
    input  wire   [9:0] address_i,
    output word_t       word_o
);
  localparam int unsigned Copies = $bits(word_t) / 10 + 1;
  assign word_o = word_t'({Copies{address_i}});
endmodule

`default_nettype wire
