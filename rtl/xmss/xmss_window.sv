// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Counts the windows of LMS with w = 1 and 2, and holds which w the key has. A window has 64
// chains, the last one those that are left.
module xmss_window
  import chain_pkg::*;
  import xmss_pkg::*;
#(
    parameter bit NARROW = 0
) (
    input wire clk_i,
    input wire rst_ni,
    // A command is taken; in the next cycle it starts, and may load a key.
    input wire take_i,
    input wire narrow_i,
    input wire ones_i,
    input wire load_i,
    input wire first_i,  // a command starts, or the next leaf of a node
    input wire stop_i,
    input wire passed_i,  // nobody needs the values of the window any more
    input wire mode_e mode_i,
    input wire octets_i,
    output window_t window_o,
    output slot_t len_o  // chains of the window
);
  if (NARROW) begin : gen_windows
    logic narrow_q, ones_q, begins_q, ends;
    logic [1:0] taken_q;
    logic [2:0] number_q, number, last;
    slot_t len_q, rest;
    number_t chains_q;

    // RFC 8554, Section 4.1 (Parameters): p is 265 and 133 with n = 32; SP 800-208: 200 and 101
    // with n = 24.
    always_comb begin
      unique case ({
        mode_i == LmsN24, ones_q
      })
        2'b01:   {last, rest} = {3'd4, 7'd9};
        2'b00:   {last, rest} = {3'd2, 7'd5};
        2'b11:   {last, rest} = {3'd3, 7'd8};
        default: {last, rest} = {3'd1, 7'd37};
      endcase
    end

    assign ends = narrow_q && passed_i && number_q != last && !begins_q && !stop_i;
    assign window_o = '{narrow: narrow_q, ones: ones_q, number: number_q, ends: ends, begins: begins_q, chains: chains_q};
    assign len_o = len_q;
    always_comb begin
      number = number_q + 3'(ends);
      if (first_i) number = '0;
    end

    always_ff @(posedge clk_i) begin
      if (take_i) taken_q <= {narrow_i, ones_i};
      if (load_i) {narrow_q, ones_q} <= taken_q;
      begins_q <= ends;
      number_q <= number;
      // Numbers of chains go far, and are there some cycles before they are used.
      len_q <= !narrow_q ? chains_of(mode_i, octets_i) : number == last ? rest : slot_t'(1 << WindowBits);
      chains_q <= narrow_q ? {last, 6'd0} + number_t'(rest) : number_t'(chains_of(mode_i, octets_i));
      if (!rst_ni) {taken_q, narrow_q, ones_q, begins_q, number_q, len_q, chains_q} <= '0;
    end
  end else begin : gen_one
    assign len_o = chains_of(mode_i, octets_i);
    always_comb begin
      window_o = '0;
      window_o.chains = number_t'(len_o);
    end
    wire unused = &{clk_i, rst_ni, take_i, narrow_i, ones_i, load_i, first_i, stop_i, passed_i};
  end
endmodule

`default_nettype wire
