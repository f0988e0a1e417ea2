// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The map of the system, and the codes that open its gate.
package soc_pkg;
  // A request of the bus. It is granted in the cycle in which it is taken; what it reads is there
  // in the next one.
  typedef struct packed {
    logic valid;
    logic write;
    logic [31:0] address;
    logic [3:0] enable;
    logic [31:0] data;
  } request_t;

  // The higher half of an address.
  localparam logic [15:0] AtRom = 16'h0000;
  localparam logic [15:0] AtScratch = 16'h1000;
  localparam logic [15:0] AtRam = 16'h2000;
  localparam logic [15:0] AtDevices = 16'h3000;

  // Bits 11 to 8 of a device's address.
  localparam logic [3:0] AtUart = 4'h0;
  localparam logic [3:0] AtFlash = 4'h1;
  localparam logic [3:0] AtFuses = 4'h2;
  localparam logic [3:0] AtGate = 4'h3;
  localparam logic [3:0] AtVerifier = 4'h4;

  // The gate opens when its two registers hold these words: what the ROM's two comparisons give of
  // a good signature (crates/hbs/src/sequential/verdict.rs), the second one inverted.
  localparam logic [31:0] OpenFirst = 32'h96c3_5a2d;
  localparam logic [31:0] OpenSecond = ~OpenFirst;

  // Words that are programmed once: two hashes of public keys, the lowest version that boots, and
  // the life cycle.
  localparam int unsigned Fuses = 18;
  typedef logic [Fuses-1:0][31:0] fuses_t;
endpackage

`default_nettype wire
