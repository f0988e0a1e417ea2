// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Reads a flash over four wires, word after word from an address on: fast read quad I/O (EBh). A
// clock of the flash is a clock of the system in which `sck_o` is 1; the flash shows the four bits
// of that clock before it ends. A word in eight clocks; the flash waits while nobody takes words.
module soc_flash (
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire [23:0] address_i,
    input wire take_i,
    output logic valid_o,
    output logic [31:0] word_o,  // the first byte in the low bits
    output logic cs_no,
    output logic sck_o,
    output logic [3:0] io_o,
    input wire [3:0] io_i
);
  // Eight bits of the command, six half bytes of the address, two of the mode, four clocks in which
  // nobody speaks; then half bytes of data, the higher one first.
  localparam logic [4:0] Address = 5'd8;
  localparam logic [4:0] Mode = 5'd14;
  localparam logic [4:0] Data = 5'd20;
  localparam logic [4:0] Last = 5'd27;
  localparam logic [7:0] Command = 8'heb;

  logic begins_q, active_q, full_q;
  logic [ 4:0] step_q;
  logic [23:0] address_q;
  logic [27:0] shift_q;
  logic [31:0] word_q;
  assign cs_no   = !active_q;
  assign sck_o   = active_q && !(step_q == Last && full_q && !take_i);
  assign valid_o = full_q;
  assign word_o  = {word_q[7:0], word_q[15:8], word_q[23:16], word_q[31:24]};

  always_comb begin
    io_o = '0;
    if (step_q < Address) io_o[0] = Command[~step_q[2:0]];
    else if (step_q < Mode) io_o = address_q[23:20];
  end

  always_ff @(posedge clk_i) begin
    begins_q <= rst_ni && start_i;
    active_q <= rst_ni && !start_i && (begins_q || active_q);
    full_q   <= rst_ni && !start_i && ((sck_o && step_q == Last) || (full_q && !take_i));
    if (start_i) address_q <= address_i;
    else if (sck_o && step_q >= Address) address_q <= {address_q[19:0], 4'd0};
    if (begins_q) step_q <= '0;
    else if (sck_o) step_q <= step_q == Last ? Data : step_q + 5'd1;
    if (sck_o) shift_q <= {shift_q[23:0], io_i};
    if (sck_o && step_q == Last) word_q <= {shift_q, io_i};
  end
endmodule

`default_nettype wire
