// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Written by `cargo run -p hasten-rtlsim --bin ed25519-emit` from crates/rtlsim/src/ed25519.
`default_nettype none

// Fixed-base table of the paper configuration: Y - X, Y + X and 2 d T of each entry.
module ed25519_rom_paper (
    input  wire  [  7:0] entry_i,
    input  wire  [  1:0] part_i,
    output logic [254:0] value_o
);
  logic [9:0] index;
  assign index = {part_i, entry_i};
  always_comb begin
    unique case (index)
      10'h000: value_o = 255'h0000000000000000000000000000000000000000000000000000000000000001;
      10'h100: value_o = 255'h0000000000000000000000000000000000000000000000000000000000000001;
      10'h200: value_o = 255'h0000000000000000000000000000000000000000000000000000000000000000;
      10'h001: value_o = 255'h44fd2f9298f81267a5c18434688f8a09fd399f05d140beb39d103905d740913e;
      10'h101: value_o = 255'h07cf9d3a33d4ba65270b4898643d42c2cf932dc6fb8c0e192fbc93c6f58c3b85;
      10'h201: value_o = 255'h6f117b689f0c65a85a1b7dcbdd43598c26d9e823ccaac49eabc91205877aaa68;
      10'h002: value_o = 255'h6bb595a669c92555e09e236bb16e37aa8f2b810c4e60acf68a99a56042b4d5a8;
      10'h102: value_o = 255'h590c063fa87d2e2e5aa69a65e1d607029f469d967a0ff5b59224e7fc933c71d7;
      10'h202: value_o = 255'h701af5b13ea50b73500fa0840b3d6a3136c16bdd5d9acf7843faa8b3a59b7a5f;
      10'h003: value_o = 255'h2ab91587555bda628131f31a214bd6bd3bd353fde5c1ba7d56611fe8a4fcd265;
      10'h103: value_o = 255'h7a164e1b9a80f8f4c11b50029f016732025a8430e8864b8aaf25b0a84cee9730;
      10'h203: value_o = 255'h5a2826af12b9b4c6d170e5458cf2db4c589423221c35da6214ae933f0dd0d889;
      default: value_o = '0;
    endcase
  end
endmodule
