// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Written by `cargo run -p hasten-rtlsim --bin ed25519-emit` from crates/rtlsim/src/ed25519.
`default_nettype none

// Modes and moduli of the multiplier and its reduction.
package mul25519_pkg;
  typedef enum logic [1:0] {
    ModeField = 2'd0,
    ModeLow = 2'd1,
    ModeHigh = 2'd2,
    ModeScalar = 2'd3
  } mode_e;
  localparam logic [256:0] P = 257'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed;
  localparam logic [256:0] L = 257'h1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed;
  localparam logic [256:0] EightL = 257'h80000000000000000000000000000000a6f7cef517bce6b2c09318d2e7ae9f68;
endpackage
