// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The stream that belongs to a command, cut into values of 32 bytes and padded blocks of the message.
//
// Words of eight bytes, byte 0 in bits 7 to 0, the message filled up to a whole word; `last_i` with the last word of the command.
// A stream that is shorter or longer raises `error_o`; it is taken to its last word in any case.
module xmss_input
  import sha256_pkg::*;
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire command_e op_i,
    input wire [15:0] length_i,
    input wire refuse_i,  // with start_i: only drop the stream
    input wire [4:0] height_i,
    output logic ended_o,  // no word is due
    output logic error_o,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] data_i,
    input wire last_i,
    // Values: number 0 on, the randomizer of a signature before the message.
    output logic item_valid_o,
    input wire item_ready_i,
    output logic [6:0] item_o,
    output logic tail_o,  // values after the message
    output state_t value_o,
    // Blocks of the message.
    output logic block_valid_o,
    input wire block_ready_i,
    output logic block_last_o,
    output block_t block_o
);
  typedef enum logic [2:0] {
    StIdle,
    StItem,  // values before the message, or no message
    StData,
    StMark,
    StZero,
    StTail,  // values after the message
    StDrain
  } state_e;

  state_e state_q;
  command_e op_q;
  logic [15:0] length_q;
  logic [13:0] left_q;  // words of the message
  logic [6:0] items_q, item_q;
  logic [2:0] beat_q;
  logic full_q, error_q, more_q;
  logic [511:0] buffer_q;

  // A word: of the stream, or of the padding.
  logic [63:0] swapped, marked, beat;
  for (genvar i = 0; i < 8; i++) begin : gen_swap
    assign swapped[32*(i/4)+8*(3-i%4)+:8] = data_i[8*i+:8];
  end
  for (genvar i = 0; i < 8; i++) begin : gen_mark
    localparam int unsigned At = 32 * (i / 4) + 8 * (3 - i % 4);
    assign marked[At+:8] = 32'(i) < 32'(length_q[2:0]) ? swapped[At+:8] : 3'(i) == length_q[2:0] ? 8'h80 : 8'h00;
  end

  logic data_last, partial, items, pads, takes, adds, ends_block, length_here;
  assign items = state_q == StItem || state_q == StTail;
  assign pads = state_q == StMark || state_q == StZero;
  assign ready_o = state_q == StDrain || (!full_q && (items || state_q == StData));
  assign takes = valid_i && ready_o;
  assign adds = (takes && state_q != StDrain) || (pads && !full_q);
  assign data_last = state_q == StData && left_q == 14'd1;
  assign partial = length_q[2:0] != '0;
  assign length_here = state_q == StZero && beat_q == 3'd7;
  assign ends_block = items ? beat_q[1:0] == 2'd3 : beat_q == 3'd7;

  // The length counts toByte(2, n), r, root and toByte(index, n): 128 bytes.
  logic [31:0] bits;
  assign bits = ({16'd0, length_q} + 32'd128) << 3;
  always_comb begin
    beat = swapped;
    if (data_last && partial) beat = marked;
    if (state_q == StMark) beat = {32'd0, 32'h8000_0000};
    if (state_q == StZero) beat = length_here ? {bits, 32'd0} : '0;
  end

  assign item_valid_o = full_q && items;
  assign item_o = item_q;
  assign tail_o = state_q == StTail;
  assign value_o = buffer_q[511:256];
  assign block_valid_o = full_q && !items && state_q != StDrain;
  assign block_last_o = !more_q;
  assign block_o = buffer_q;
  assign ended_o = state_q == StIdle;
  assign error_o = error_q;

  // The end of the stream, where it should be and where it is.
  logic due;
  assign due = state_q == StTail ? item_q == items_q - 7'd1 && beat_q[1:0] == 2'd3 :
      state_q == StItem ? op_q != CmdVerify && item_q == items_q - 7'd1 && beat_q[1:0] == 2'd3 : op_q == CmdSign && data_last;

  logic passed;  // a value or block is taken
  assign passed = (item_valid_o && item_ready_i) || (block_valid_o && block_ready_i);

  always_ff @(posedge clk_i) begin
    if (adds) begin
      buffer_q <= {beat, buffer_q[511:64]};
      beat_q   <= ends_block ? '0 : beat_q + 3'd1;
      full_q   <= ends_block;
      more_q   <= !length_here;
      if (state_q == StData) left_q <= left_q - 14'd1;
    end
    if (passed) full_q <= 1'b0;
    if (passed && items) item_q <= item_q + 7'd1;

    unique case (state_q)
      StItem:
      if (passed && item_q == items_q - 7'd1) begin
        state_q <= op_q != CmdVerify ? StIdle : length_q == '0 ? StMark : StData;
        item_q  <= '0;
        items_q <= slot_t'(Len) + slot_t'(height_i);
      end
      StData:  if (adds && data_last) state_q <= partial ? StZero : StMark;
      StMark:  if (adds) state_q <= StZero;
      StZero:  if (passed && !more_q) state_q <= op_q == CmdVerify ? StTail : StIdle;
      StTail:  if (passed && item_q == items_q - 7'd1) state_q <= StIdle;
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
      length_q <= length_i;
      left_q <= 14'((17'(length_i) + 17'd7) >> 3);
      items_q <= op_i == CmdLoadKey ? 7'd4 : op_i == CmdLoadPublic ? 7'd2 : 7'd1;
      {item_q, beat_q, full_q, error_q, more_q} <= '0;
      unique case (op_i)
        CmdLoadKey, CmdLoadPublic, CmdVerify: state_q <= refuse_i ? StDrain : StItem;
        CmdSign: state_q <= length_i == '0 ? (refuse_i ? StIdle : StMark) : refuse_i ? StDrain : StData;
        default: state_q <= StIdle;
      endcase
    end
    if (!rst_ni) begin
      state_q  <= StIdle;
      full_q   <= 1'b0;
      error_q  <= 1'b0;
      buffer_q <= '0;
    end
  end
endmodule

`default_nettype wire
