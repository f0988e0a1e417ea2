// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The unit's port to memory: reads segments of words into operands, or writes a result, as many
// words at a time as the port is wide, where they lie so.
module chain_unit_reader
  import sha256_pkg::*;
  import chain_unit_pkg::*;
#(
    parameter  int unsigned PORT  = 64,
    localparam int unsigned Words = PORT / 32,
    localparam int unsigned Place = $clog2(Words)
) (
    input wire clk_i,
    input wire rst_ni,
    // A read, while `read_i`: segments one after another, `next_o` in the cycle that ends one.
    input wire read_i,
    input wire segment_t segment_i,
    output logic next_o,
    output operands_t words_o,
    // A write, while `write_i`, until `written_o`.
    input wire write_i,
    input wire target_t target_i,
    input wire state_t value_i,
    output logic written_o,
    output asip_pkg::request_t port_o,
    input wire port_ready_i,
    input wire [PORT-1:0] port_read_i
);
  logic [ 3:0] beat_q;
  logic [ 4:0] count;
  /* verilator lint_off UNUSEDSIGNAL */  // multiples of 4
  logic [31:0] address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign address = write_i ? target_i.address : segment_i.address;
  assign count   = write_i ? (target_i.six ? 5'd6 : 5'd8) : segment_i.count;

  // The numbers of a beat's words. Below 0 and from `count` on they are none of the segment's.
  logic [Words-1:0][5:0] numbers;
  logic [Words-1:0] there;
  logic last, goes;
  for (genvar i = 0; i < Words; i++) begin : gen_number
    assign numbers[i] = 6'({beat_q, Place'(i)}) - 6'(address[2+:Place]);
    assign there[i]   = !numbers[i][5] && numbers[i] < 6'(count);
  end
  assign last = !numbers[Words-1][5] && numbers[Words-1] + 6'd1 >= 6'(count);
  assign goes = (read_i || write_i) && port_ready_i;
  assign next_o = goes && last && !write_i;
  assign written_o = goes && last && write_i;

  assign port_o.valid = read_i || write_i;
  assign port_o.write = write_i;
  assign port_o.address = {address[31:2+Place] + (30 - Place)'(beat_q), (2 + Place)'(0)};
  always_comb begin
    port_o.enable = '0;
    port_o.data   = '0;
    for (int i = 0; i < int'(Words); i++) begin
      port_o.enable[4*i+:4] = {4{there[i]}};
      port_o.data[32*i+:32] = swapped(target_i.swap, value_i[numbers[i][2:0]]);
    end
  end

  // The words that come back in the next cycle, and where they go.
  logic there_q, swap_q, masks_q;
  logic [Words-1:0] taken_q;
  logic [5:0] place_q;  // of the first one
  operands_t words_q;
  always_ff @(posedge clk_i) begin
    there_q <= rst_ni && goes && !write_i;
    {taken_q, swap_q, masks_q} <= {there, segment_i.swap, segment_i.masks};
    place_q <= 6'(segment_i.place) + numbers[0];
    if (!rst_ni) beat_q <= '0;
    else if (goes) beat_q <= last ? '0 : beat_q + 4'd1;
  end
  for (genvar i = 0; i < 24; i++) begin : gen_word
    logic  takes;
    word_t word;
    always_comb begin
      {takes, word} = '0;
      for (int k = 0; k < int'(Words); k++) begin
        if (taken_q[k] && place_q + 6'(k) == 6'(i)) {takes, word} = {1'b1, port_read_i[32*k+:32]};
      end
    end
    always_ff @(posedge clk_i) begin
      if (there_q && takes) words_q[i] <= swapped(swap_q, word) ^ (masks_q ? words_q[i] : '0);
    end
  end
  assign words_o = words_q;
endmodule

`default_nettype wire
