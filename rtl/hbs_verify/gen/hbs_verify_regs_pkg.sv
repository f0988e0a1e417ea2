// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the verifier of LMS, HSS and XMSS behind AXI. Written by `cargo xtask hw registers`
// from registers.toml.
`default_nettype none

package hbs_verify_regs_pkg;
  // For benches and other modules; not all are used in one design.
  // verilator lint_off UNUSEDPARAM
  localparam int unsigned AddressBits = 6;
  localparam logic [AddressBits-1:0] IdAddress = 6'h00;
  localparam logic [AddressBits-1:0] VersionAddress = 6'h04;
  localparam logic [AddressBits-1:0] StatusAddress = 6'h08;
  localparam logic [7:0] StatusVerdictBad = 8'd105;
  localparam logic [7:0] StatusVerdictGood = 8'd150;
  localparam logic [7:0] StatusVerdictNone = 8'd0;
  localparam logic [7:0] StatusVerdictRefused = 8'd15;
  localparam logic [AddressBits-1:0] CommandAddress = 6'h0c;
  localparam logic CommandOpClear = 1'd1;
  localparam logic CommandOpVerify = 1'd0;
  localparam logic [AddressBits-1:0] LengthAddress = 6'h10;
  localparam logic [AddressBits-1:0] LengthHighAddress = 6'h14;
  localparam logic [AddressBits-1:0] DoneAddress = 6'h18;
  localparam logic [AddressBits-1:0] InterruptEnableAddress = 6'h1c;
  localparam logic [AddressBits-1:0] CyclesAddress = 6'h20;
  localparam logic [AddressBits-1:0] FeaturesAddress = 6'h24;
  // verilator lint_on UNUSEDPARAM
  typedef struct packed {logic [31:0] letters;} id_t;
  typedef struct packed {
    logic [15:0] major;
    logic [15:0] minor;
  } version_t;
  typedef struct packed {
    logic [7:0] verdict;
    logic busy;
  } status_t;
  typedef struct packed {
    logic xmss;
    logic digest;
    logic hss;
    logic op;
  } command_t;
  typedef struct packed {logic [31:0] bytes;} length_t;
  typedef struct packed {logic [31:0] bytes;} length_high_t;
  typedef struct packed {
    logic lost;
    logic answer;
  } done_t;
  typedef struct packed {
    logic lost;
    logic answer;
  } interrupt_enable_t;
  typedef struct packed {logic xmss;} features_t;
  // Written by software.
  typedef struct packed {
    command_t command;
    logic command_strobe;  // it was written in the cycle before
    length_t length;
    length_high_t length_high;
    done_t done;
    interrupt_enable_t interrupt_enable;
  } to_core_t;
  // Shown or set by the core.
  typedef struct packed {
    status_t status;
    done_t done;
    logic [31:0] cycles;
    features_t features;
  } from_core_t;
endpackage

`default_nettype wire
