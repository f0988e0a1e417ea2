// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The unit's port to memory: reads segments of words into operands, or writes a result, two words
// at a time where they lie so.
module chain_unit_reader
  import sha256_pkg::*;
  import chain_unit_pkg::*;
(
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
    input wire [63:0] port_read_i
);
  logic [3:0] beat_q;
  logic high;  // the first word is the second of its beat
  logic [4:0] count;
  /* verilator lint_off UNUSEDSIGNAL */  // multiples of 4
  logic [31:0] address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign address = write_i ? target_i.address : segment_i.address;
  assign count = write_i ? (target_i.six ? 5'd6 : 5'd8) : segment_i.count;
  assign high = address[2];

  // The words of a beat: the first one's number, one below 0 if there is none.
  logic [5:0] low_number, high_number;
  logic low_there, high_there, last, goes;
  assign low_number = {1'b0, beat_q, 1'b0} - 6'(high);
  assign high_number = low_number + 6'd1;
  assign low_there = !low_number[5] && low_number < 6'(count);
  assign high_there = high_number < 6'(count);
  assign last = high_number + 6'd1 >= 6'(count);
  assign goes = (read_i || write_i) && port_ready_i;
  assign next_o = goes && last && !write_i;
  assign written_o = goes && last && write_i;

  assign port_o.valid = read_i || write_i;
  assign port_o.write = write_i;
  assign port_o.address = {address[31:3] + 29'(beat_q), 3'd0};
  assign port_o.enable = {{4{high_there}}, {4{low_there}}};
  assign port_o.data = {swapped(target_i.swap, value_i[high_number[2:0]]), swapped(target_i.swap, value_i[low_number[2:0]])};

  // The words that come back in the next cycle, and where they go.
  logic there_q, low_q, high_q, swap_q, masks_q;
  logic [5:0] place_q;
  operands_t words_q;
  always_ff @(posedge clk_i) begin
    there_q <= rst_ni && goes && !write_i;
    {low_q, high_q, swap_q, masks_q} <= {low_there, high_there, segment_i.swap, segment_i.masks};
    place_q <= 6'(segment_i.place) + low_number;
    if (!rst_ni) beat_q <= '0;
    else if (goes) beat_q <= last ? '0 : beat_q + 4'd1;
  end
  for (genvar i = 0; i < 24; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (there_q && low_q && place_q == 6'(i)) words_q[i] <= swapped(swap_q, port_read_i[31:0]) ^ (masks_q ? words_q[i] : '0);
      if (there_q && high_q && place_q + 6'd1 == 6'(i)) words_q[i] <= swapped(swap_q, port_read_i[63:32]) ^ (masks_q ? words_q[i] : '0);
    end
  end
  assign words_o = words_q;
endmodule

`default_nettype wire
