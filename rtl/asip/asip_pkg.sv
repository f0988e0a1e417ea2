// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The two interfaces of the processor: CV-X-IF as far as the unit uses it, and the RAM's port.
package asip_pkg;
  // An instruction on its way: it is offered in the stage ID, and done or dropped in EX.
  typedef struct packed {
    logic valid;
    logic [31:0] instruction;
    logic [3:0] id;
    logic [31:0] rs1;
    logic [31:0] rs2;
  } issue_t;

  typedef struct packed {
    logic ready;
    logic accept;     // it is one of the unit's
    logic writeback;  // it writes rd
  } issue_answer_t;

  typedef struct packed {
    logic valid;
    logic kill;
    logic [3:0] id;
  } commit_t;

  // An instruction that is through, in WB.
  typedef struct packed {
    logic valid;
    logic write;
    logic [3:0] id;
    logic [4:0] rd;
    logic [31:0] data;
  } result_t;

  // A request to a memory of 64-bit or 128-bit words; one of 64 bits uses the lower half of `data`
  // and `enable`. `address` counts bytes. The cycle after the one that grants it has the word that
  // is read.
  typedef struct packed {
    logic valid;
    logic write;
    logic [31:0] address;
    logic [15:0] enable;  // of bytes, the first one lowest; a read has it too
    logic [127:0] data;
  } request_t;

  // The field funct3 of an instruction.
  typedef enum logic [2:0] {
    Put   = 3'd0,  // two words of the state or the block
    Go    = 3'd1,  // a compression
    Get   = 3'd2,  // a word of its digest
    Cfg   = 3'd3,  // a register of the unit, numbered by funct7
    Chain = 3'd4,  // a chain
    Hash  = 3'd5,  // a block, or two
    Node  = 3'd6,  // a node, or its row
    Wait  = 3'd7   // until no more than rs1 jobs are under way
  } which_e;

  // An instruction that is to be done.
  typedef struct packed {
    which_e which;
    logic [6:0] variant;  // funct7
    logic [31:0] rs1;
    logic [31:0] rs2;
  } order_t;
endpackage

`default_nettype wire
