// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Commands and streams of the SHA-3 unit.
`default_nettype none

package sha3_pkg;

  localparam int unsigned Tags = 4;
  typedef logic [1:0] tag_t;

  typedef enum logic [2:0] {
    OpHash   = 3'd0,  // a message from the zero state
    OpResume = 3'd1,  // a message from the state the tag holds
    OpLoad   = 3'd2,  // 25 lanes from the stream become the tag's state
    OpSave   = 3'd3,  // the tag's state as 200 bytes of output
    OpPrefix = 3'd4,  // data becomes the prefix of all chains
    OpChain  = 3'd5,  // a hash chain of so many steps
    OpClear  = 3'd6   // every tag and the prefix are forgotten
  } op_e;

  // How a beat of the message ends.
  typedef enum logic [1:0] {
    EndNone  = 2'd0,  // the message goes on
    EndPad   = 2'd1,  // the message ends: suffix and pad10*1 follow
    EndFill  = 2'd2,  // zeros to the end of the block, then the message goes on (bytepad of SP 800-185)
    EndPause = 2'd3   // the block is full, and the state is kept
  } end_e;

  typedef struct packed {
    op_e op;
    tag_t tag;
    logic [4:0] rate;  // lanes: 9, 13, 17, 18 or 21
    logic [7:0] suffix;  // 06 SHA-3, 1F SHAKE, 04 cSHAKE
    logic [31:0] length;  // bytes of output
    logic [15:0] steps;  // of a chain
    logic [31:0] counter;  // of its first step
    logic [2:0] lanes;  // of its value: 2, 3 or 4
    logic [255:0] data;  // prefix or tweak
  } cmd_t;

  typedef struct packed {
    tag_t tag;
    end_e ending;
    logic [4:0] bytes;  // 0 to 16; 16 unless the block or the message ends
    logic [127:0] data;
  } beat_t;

  typedef struct packed {
    tag_t tag;
    logic last;
    logic [4:0] bytes;
    logic [127:0] data;
  } out_t;

  // The slots pass the entry in turn, the tags counting down. Everything about a tag goes round
  // with its slot, in four places: Entry passes in this cycle, Passed was there a cycle ago, Half
  // two, and Next passes in the next. Place p becomes place p + 1 a cycle later, and belongs to the
  // tag at the entry plus p.
  localparam int unsigned Entry = 0;
  localparam int unsigned Passed = 1;
  localparam int unsigned Half = 2;
  localparam int unsigned Next = 3;

  // A step of a hash chain, of the slot that passes the entry.
  typedef struct packed {
    logic [4:2]   lanes;    // a bit for 2, 3 or 4 lanes of prefix and value; none: no step
    logic [4:0]   rate;
    logic [31:0]  counter;
    logic [223:0] tweak;
  } step_t;

  // The highest bit is 0 in Idle alone.
  typedef enum logic [3:0] {
    Idle    = 4'd0,
    Absorb  = 4'd8,   // takes message blocks
    Squeeze = 4'd9,   // the last block has entered; output follows
    Pause   = 4'd10,  // the last block has entered; the state is kept
    Load    = 4'd11,  // takes a state
    Value   = 4'd12,  // takes the value of a chain
    Chain   = 4'd13   // steps of a chain
  } phase_e;

endpackage

`default_nettype wire
