// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the XMSS and LMS engine behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
`default_nettype none

package xmss_regs_pkg;
  // For benches and other modules; not all are used in one design.
  // verilator lint_off UNUSEDPARAM
  localparam int unsigned AddressBits = 6;
  localparam logic [AddressBits-1:0] IdAddress = 6'h00;
  localparam logic [AddressBits-1:0] VersionAddress = 6'h04;
  localparam logic [AddressBits-1:0] FeaturesAddress = 6'h08;
  localparam logic [AddressBits-1:0] StatusAddress = 6'h0c;
  localparam logic [1:0] StatusResultBad = 2'd1;
  localparam logic [1:0] StatusResultOk = 2'd0;
  localparam logic [1:0] StatusResultRefused = 2'd2;
  localparam logic [7:0] StatusVerdictBad = 8'd105;
  localparam logic [7:0] StatusVerdictGood = 8'd150;
  localparam logic [7:0] StatusVerdictNone = 8'd0;
  localparam logic [7:0] StatusVerdictRefused = 8'd15;
  localparam logic [AddressBits-1:0] CommandAddress = 6'h10;
  localparam logic [3:0] CommandOpClear = 4'd6;
  localparam logic [3:0] CommandOpLeaf = 4'd5;
  localparam logic [3:0] CommandOpLoadKey = 4'd0;
  localparam logic [3:0] CommandOpLoadPublic = 4'd1;
  localparam logic [3:0] CommandOpNode = 4'd7;
  localparam logic [3:0] CommandOpPrepare = 4'd2;
  localparam logic [3:0] CommandOpSign = 4'd3;
  localparam logic [3:0] CommandOpVerify = 4'd4;
  localparam logic [1:0] CommandModeLmsN24 = 2'd3;
  localparam logic [1:0] CommandModeLmsN32 = 2'd2;
  localparam logic [1:0] CommandModeShake256N24 = 2'd1;
  localparam logic [1:0] CommandModeShake256N32 = 2'd2;
  localparam logic [1:0] CommandModeShakeN32 = 2'd0;
  localparam logic [1:0] CommandModeXmssN24 = 2'd1;
  localparam logic [1:0] CommandModeXmssN32 = 2'd0;
  localparam logic [AddressBits-1:0] IndexAddress = 6'h14;
  localparam logic [AddressBits-1:0] LengthAddress = 6'h18;
  localparam logic [AddressBits-1:0] DoneAddress = 6'h1c;
  localparam logic [AddressBits-1:0] InterruptEnableAddress = 6'h20;
  localparam logic [AddressBits-1:0] CyclesAddress = 6'h24;
  localparam logic [AddressBits-1:0] LengthHighAddress = 6'h28;
  // verilator lint_on UNUSEDPARAM
  typedef struct packed {logic [31:0] letters;} id_t;
  typedef struct packed {
    logic [15:0] major;
    logic [15:0] minor;
  } version_t;
  typedef struct packed {
    logic narrow;
    logic shake;
    logic [3:0] unroll;
    logic [7:0] cores;
  } features_t;
  typedef struct packed {
    logic [7:0] verdict;
    logic [7:0] answers;
    logic [1:0] earlier;
    logic [1:0] result;
    logic full;
    logic busy;
  } status_t;
  typedef struct packed {
    logic [4:0] height;
    logic narrow;
    logic octets;
    logic [1:0] mode;
    logic chain_table;
    logic idle;
    logic check;
    logic [3:0] op;
  } command_t;
  typedef struct packed {logic [31:0] bytes;} length_t;
  typedef struct packed {
    logic lost;
    logic answer;
  } done_t;
  typedef struct packed {
    logic lost;
    logic answer;
  } interrupt_enable_t;
  typedef struct packed {logic [27:0] bytes;} length_high_t;
  // Written by software.
  typedef struct packed {
    command_t command;
    logic command_strobe;  // it was written in the cycle before
    logic [31:0] index;
    length_t length;
    done_t done;
    interrupt_enable_t interrupt_enable;
    length_high_t length_high;
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
