// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the SHA-3 unit behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
`default_nettype none

package sha3_regs_pkg;
  // For benches and other modules; not all are used in one design.
  // verilator lint_off UNUSEDPARAM
  localparam int unsigned AddressBits = 7;
  localparam logic [AddressBits-1:0] IdAddress = 7'h00;
  localparam logic [AddressBits-1:0] VersionAddress = 7'h04;
  localparam logic [AddressBits-1:0] FeaturesAddress = 7'h08;
  localparam logic [AddressBits-1:0] StatusAddress = 7'h0c;
  localparam logic [AddressBits-1:0] CommandAddress = 7'h10;
  localparam logic [2:0] CommandOpChain = 3'd5;
  localparam logic [2:0] CommandOpClear = 3'd6;
  localparam logic [2:0] CommandOpHash = 3'd0;
  localparam logic [2:0] CommandOpLoad = 3'd2;
  localparam logic [2:0] CommandOpPrefix = 3'd4;
  localparam logic [2:0] CommandOpResume = 3'd1;
  localparam logic [2:0] CommandOpSave = 3'd3;
  localparam logic [4:0] CommandRateSha3224 = 5'd18;
  localparam logic [4:0] CommandRateSha3256 = 5'd17;
  localparam logic [4:0] CommandRateSha3384 = 5'd13;
  localparam logic [4:0] CommandRateSha3512 = 5'd9;
  localparam logic [4:0] CommandRateShake128 = 5'd21;
  localparam logic [4:0] CommandRateShake256 = 5'd17;
  localparam logic [7:0] CommandSuffixCshake = 8'd4;
  localparam logic [7:0] CommandSuffixSha3 = 8'd6;
  localparam logic [7:0] CommandSuffixShake = 8'd31;
  localparam logic [AddressBits-1:0] LengthAddress = 7'h14;
  localparam logic [AddressBits-1:0] StepsAddress = 7'h18;
  localparam logic [AddressBits-1:0] CounterAddress = 7'h1c;
  localparam logic [AddressBits-1:0] DataAddress = 7'h20;
  localparam logic [AddressBits-1:0] DoneAddress = 7'h40;
  localparam logic [AddressBits-1:0] InterruptEnableAddress = 7'h44;
  localparam logic [AddressBits-1:0] CyclesLowAddress = 7'h48;
  localparam logic [AddressBits-1:0] CyclesHighAddress = 7'h4c;
  localparam logic [AddressBits-1:0] ControlAddress = 7'h50;
  // verilator lint_on UNUSEDPARAM
  typedef struct packed {logic [31:0] letters;} id_t;
  typedef struct packed {
    logic [15:0] major;
    logic [15:0] minor;
  } version_t;
  typedef struct packed {
    logic [3:0] tags;
    logic outreg;
    logic [1:0] inner;
    logic [3:0] unroll;
  } features_t;
  typedef struct packed {logic busy;} status_t;
  typedef struct packed {
    logic [2:0] lanes;
    logic [7:0] suffix;
    logic [4:0] rate;
    logic [1:0] tag;
    logic [2:0] op;
  } command_t;
  typedef struct packed {logic [15:0] count;} steps_t;
  typedef struct packed {logic [3:0] tag;} done_t;
  typedef struct packed {logic [3:0] tag;} interrupt_enable_t;
  typedef struct packed {logic clear;} control_t;
  // Written by software.
  typedef struct packed {
    command_t command;
    logic command_strobe;  // it was written in the cycle before
    logic [31:0] length;
    steps_t steps;
    logic [31:0] counter;
    logic [7:0][31:0] data;
    done_t done;
    interrupt_enable_t interrupt_enable;
    control_t control;
  } to_core_t;
  // Shown or set by the core.
  typedef struct packed {
    features_t features;
    status_t status;
    done_t done;
    logic [31:0] cycles_low;
    logic [31:0] cycles_high;
  } from_core_t;
endpackage

`default_nettype wire
