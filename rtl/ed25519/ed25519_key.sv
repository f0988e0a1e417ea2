// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The key that a lane signs with: scalar, prefix and public key (RFC 8032, Section 5.1.5 (Key
// Generation)), which the core makes of a seed and never puts out, but for the public key.
//
// A word beside them is the inverted sum modulo 2 of their twelve words. One bit that flips in any
// of them, and a lane without a key, which holds zeros, leave `sound_o` low.
`default_nettype none

module ed25519_key (
    input wire clk_i,
    input wire wipe_i,
    // Takes the key of this digest of the seed and this point.
    input wire load_i,
    input wire [511:0] digest_i,
    input wire [255:0] point_i,
    output logic [255:0] scalar_o,
    output logic [255:0] prefix_o,
    output logic [255:0] public_o,
    output logic sound_o
);
  logic [767:0] key, key_q;
  logic [63:0] sum_q;

  function automatic logic [63:0] sum_of(logic [767:0] words);
    sum_of = '0;
    for (int unsigned i = 0; i < 12; i++) sum_of ^= words[64*i+:64];
  endfunction

  logic unused_bits;
  assign unused_bits = ^{digest_i[255:254], digest_i[2:0]};

  assign key = {point_i, digest_i[511:256], 2'b01, digest_i[253:3], 3'b000};
  always_ff @(posedge clk_i) begin
    if (wipe_i) {key_q, sum_q} <= '0;
    else if (load_i) {key_q, sum_q} <= {key, ~sum_of(key)};
  end

  assign {public_o, prefix_o, scalar_o} = key_q;
  assign sound_o = sum_q == ~sum_of(key_q);
endmodule

`default_nettype wire
