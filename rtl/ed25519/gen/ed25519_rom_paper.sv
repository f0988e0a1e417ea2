// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Written by `cargo run -p hasten-rtlsim --bin ed25519-emit` from crates/rtlsim/src/ed25519.
`default_nettype none

// Fixed-base table of the paper configuration: (y - x) / 2, (y + x) / 2 and d x y of each entry.
module ed25519_rom_paper (
    input  wire  [  7:0] entry_i,
    input  wire  [  1:0] part_i,
    output logic [254:0] value_o
);
  logic [9:0] index;
  assign index = {part_i, entry_i};
  always_comb begin
    unique case (index)
      10'h000: value_o = 255'h3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7;
      10'h100: value_o = 255'h3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7;
      10'h200: value_o = 255'h0000000000000000000000000000000000000000000000000000000000000000;
      10'h001: value_o = 255'h227e97c94c7c0933d2e0c21a3447c504fe9ccf82e8a05f59ce881c82eba0489f;
      10'h101: value_o = 255'h43e7ce9d19ea5d329385a44c321ea16167c996e37dc6070c97de49e37ac61db9;
      10'h201: value_o = 255'h3788bdb44f8632d42d0dbee5eea1acc6136cf411e655624f55e48902c3bd5534;
      10'h002: value_o = 255'h35dacad334e492aaf04f11b5d8b71bd54795c0862730567b454cd2b0215a6ad4;
      10'h102: value_o = 255'h6c86031fd43e97172d534d32f0eb03814fa34ecb3d07fadac91273fe499e38e2;
      10'h202: value_o = 255'h780d7ad89f5285b9a807d042059eb5189b60b5eeaecd67bc21fd5459d2cdbd26;
      10'h003: value_o = 255'h555c8ac3aaaded314098f98d10a5eb5e9de9a9fef2e0dd3eab308ff4527e6929;
      10'h103: value_o = 255'h3d0b270dcd407c7a608da8014f80b399012d4218744325c55792d85426774b98;
      10'h203: value_o = 255'h6d141357895cda6368b872a2c6796da62c4a11910e1aed310a57499f86e86c3b;
      default: value_o = '0;
    endcase
  end
endmodule

`default_nettype wire
