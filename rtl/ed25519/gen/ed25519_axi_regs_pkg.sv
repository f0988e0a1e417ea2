// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the Ed25519 core behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
`default_nettype none

package ed25519_axi_regs_pkg;
  // For benches and other modules; not all are used in one design.
  // verilator lint_off UNUSEDPARAM
  localparam int unsigned AddressBits = 6;
  localparam logic [AddressBits-1:0] IdAddress = 6'h00;
  localparam logic [AddressBits-1:0] VersionAddress = 6'h04;
  localparam logic [AddressBits-1:0] FeaturesAddress = 6'h08;
  localparam logic [AddressBits-1:0] StatusAddress = 6'h0c;
  localparam logic [7:0] StatusVerdictBad = 8'd105;
  localparam logic [7:0] StatusVerdictDone = 8'd60;
  localparam logic [7:0] StatusVerdictGood = 8'd150;
  localparam logic [7:0] StatusVerdictNone = 8'd0;
  localparam logic [7:0] StatusVerdictRefused = 8'd15;
  localparam logic [AddressBits-1:0] CommandAddress = 6'h10;
  localparam logic [1:0] CommandOpClear = 2'd3;
  localparam logic [1:0] CommandOpKeygen = 2'd0;
  localparam logic [1:0] CommandOpSign = 2'd1;
  localparam logic [1:0] CommandOpVerify = 2'd2;
  localparam logic [AddressBits-1:0] DoneAddress = 6'h14;
  localparam logic [AddressBits-1:0] InterruptEnableAddress = 6'h18;
  localparam logic [AddressBits-1:0] CyclesAddress = 6'h1c;
  localparam logic [AddressBits-1:0] ScratchAddress = 6'h20;
  // verilator lint_on UNUSEDPARAM
  typedef struct packed {logic [31:0] letters;} id_t;
  typedef struct packed {
    logic [15:0] major;
    logic [15:0] minor;
  } version_t;
  typedef struct packed {
    logic [3:0] latency;
    logic half_size;
    logic fixed_time;
    logic fast;
  } features_t;
  typedef struct packed {
    logic [7:0] verdict;
    logic ok;
    logic key;
    logic busy;
  } status_t;
  typedef struct packed {logic [1:0] op;} command_t;
  typedef struct packed {logic response;} done_t;
  typedef struct packed {logic response;} interrupt_enable_t;
  // Written by software.
  typedef struct packed {
    command_t command;
    logic command_strobe;  // it was written in the cycle before
    done_t done;
    interrupt_enable_t interrupt_enable;
    logic [31:0] scratch;
  } to_core_t;
  // Shown or set by the core.
  typedef struct packed {
    features_t features;
    status_t status;
    done_t done;
    logic [31:0] cycles;
  } from_core_t;
endpackage

`default_nettype wire
