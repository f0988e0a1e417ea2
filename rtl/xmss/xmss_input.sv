// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The stream that belongs to a command, cut into values of n bytes and beats of the message.
//
// Words of eight bytes, byte 0 in bits 7 to 0, the message filled up to a whole word; `last_i` with
// the last word of the command. A stream that is shorter or longer raises `error_o`; it is taken to
// its last word in any case.
module xmss_input
  import sha256_pkg::*;
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit NARROW = 0  // sets whose chains come in windows
) (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire command_e op_i,
    input wire length_t length_i,  // of the message, until the next command starts
    input wire refuse_i,  // with start_i: only drop the stream
    input wire load_lms_i,  // with start_i and CmdLoadKey: of LMS
    input wire mode_e mode_i,
    input wire window_t window_i,
    input wire slot_t len_i,  // chains of the window
    input wire [4:0] height_i,
    output logic ended_o,  // no word is due
    output logic error_o,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] data_i,
    input wire last_i,
    // Values: number 0 on, the randomizer of a signature before the message; after it the slots
    // they go to.
    output logic item_valid_o,
    input wire item_ready_i,
    output logic [6:0] item_o,
    output logic [1:0] number_o,  // of a value before the message
    output logic tail_o,  // values after the message
    output state_t value_o,
    output text_t text_o,
    input wire text_ready_i
);
  typedef enum logic [2:0] {
    StIdle,
    StItem,  // values before the message, or no message
    StData,
    StTail,  // values after the message
    StDrain
  } state_e;

  localparam int unsigned Bits = NARROW ? $bits(number_t) : $bits(slot_t);
  typedef logic [Bits-1:0] count_t;

  state_e state_q;
  command_e op_q;
  logic [56:0] left_q;  // words of the message behind the next one
  logic last_q;  // there are none
  count_t items_q, item_q, chains;
  logic [1:0] beat_q;
  logic full_q, error_q, message_q, n24;
  logic [255:0] buffer_q;
  assign n24 = mode_i == XmssN24 || mode_i == LmsN24;

  logic data_last, items, data, takes, takes_data, value_ends, last_item, empty;
  assign empty = length_i == '0;
  assign items = state_q == StItem || state_q == StTail;
  assign data = state_q == StData && !message_q;
  assign ready_o = state_q == StDrain || (items && !full_q) || (data && text_ready_i);
  assign takes = valid_i && ready_o;
  assign takes_data = takes && state_q == StData;
  assign data_last = state_q == StData && last_q;
  assign value_ends = beat_q == (n24 ? 2'd2 : 2'd3);
  assign last_item = item_q == items_q - count_t'(1);

  // The first byte on top.
  logic [63:0] beat;
  for (genvar i = 0; i < 8; i++) begin : gen_turn
    assign beat[8*(7-i)+:8] = data_i[8*i+:8];
  end
  assign text_o = '{begins: message_q, empty: empty, length: length_i, valid: data && valid_i, last: data_last, beat: beat};

  // A chain's value waits for its window.
  logic  waits;
  slot_t place;
  if (NARROW) begin : gen_windows
    assign chains = count_t'(window_i.chains);
    assign waits  = window_i.narrow && state_q == StTail && item_q < chains && item_q[Bits-1:WindowBits] != window_i.number;
    assign place  = window_i.narrow ? {1'b0, item_q[WindowBits-1:0]} : item_q[6:0];
  end else begin : gen_one
    assign chains = len_i;
    assign waits  = 1'b0;
    assign place  = item_q;
  end
  assign item_valid_o = full_q && items && !waits;
  assign item_o = state_q == StTail && item_q >= chains ? slot_t'(item_q - chains) + slot_t'(Len) : place;
  assign number_o = item_q[1:0];
  assign tail_o = state_q == StTail;
  assign value_o = n24 ? {64'd0, buffer_q[255:64]} : buffer_q;
  assign ended_o = state_q == StIdle;
  assign error_o = error_q;

  // The end of the stream, where it should be and where it is.
  logic due;
  assign due = items ? (state_q == StTail || op_q != CmdVerify) && last_item && value_ends : op_q == CmdSign && data_last;

  logic passed;  // a value is taken
  assign passed = item_valid_o && item_ready_i;

  always_ff @(posedge clk_i) begin
    message_q <= 1'b0;
    if (takes && items) begin
      buffer_q <= {beat[31:0], beat[63:32], buffer_q[255:64]};
      beat_q   <= value_ends ? '0 : beat_q + 2'd1;
      full_q   <= value_ends;
    end
    if (takes_data) left_q <= left_q - 57'd1;
    last_q <= left_q == 57'(takes_data);
    if (passed) begin
      full_q <= 1'b0;
      item_q <= item_q + count_t'(1);
    end

    unique case (state_q)
      StItem:
      if (passed && last_item) begin
        state_q <= op_q != CmdVerify ? StIdle : empty ? StTail : StData;
        message_q <= op_q == CmdVerify;
        item_q <= '0;
        items_q <= chains + count_t'(height_i);
      end
      StData:  if (takes && data_last) state_q <= op_q == CmdVerify ? StTail : StIdle;
      StTail:  if (passed && last_item) state_q <= StIdle;
      StDrain: if (takes && last_i) state_q <= StIdle;
      default: ;
    endcase
    if (takes && state_q != StDrain && last_i != due) begin
      error_q <= 1'b1;
      full_q  <= 1'b0;
      state_q <= last_i ? StIdle : StDrain;
    end

    if (start_i) begin
      op_q <= op_i;
      left_q <= length_i[59:3] - 57'(length_i[2:0] == '0);
      items_q <= op_i == CmdLoadKey ? (load_lms_i ? count_t'(3) : count_t'(4)) : op_i == CmdLoadPublic ? count_t'(2) : count_t'(1);
      {item_q, beat_q, full_q, error_q} <= '0;
      unique case (op_i)
        CmdLoadKey, CmdLoadPublic, CmdVerify: state_q <= refuse_i ? StDrain : StItem;
        CmdSign: begin
          state_q   <= empty ? StIdle : refuse_i ? StDrain : StData;
          message_q <= !refuse_i;
        end
        default: state_q <= StIdle;
      endcase
    end
    if (!rst_ni) begin
      state_q   <= StIdle;
      full_q    <= 1'b0;
      error_q   <= 1'b0;
      message_q <= 1'b0;
      buffer_q  <= '0;
      {op_q, left_q, last_q, items_q, item_q, beat_q} <= '0;
    end
  end
  wire unused = &{window_i, len_i};
endmodule

`default_nettype wire
