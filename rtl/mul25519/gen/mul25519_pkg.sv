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
  // Width of the rows behind the fold, which are signed.
  localparam int unsigned Width = 259;
  // A row whose bits 132 to 250 are the same.
  typedef struct packed {
    logic [7:0] top;
    logic middle;
    logic [131:0] low;
  } short_t;
  function automatic logic [Width-1:0] widen(short_t x);
    return {x.top, {119{x.middle}}, x.low};
  endfunction
  // verilator lint_off UNUSEDSIGNAL
  function automatic short_t shorten(logic [Width-1:0] x);
    return {x[258:251], x[250], x[131:0]};
  endfunction
  // verilator lint_on UNUSEDSIGNAL
endpackage

`default_nettype wire
