// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The memories of a processor in IHP SG13G2 (`whole.toml`): CODE macros of 8,192 words of 32 bits
// and RAM macros of 2,048 words of 64 bits, of which one each is at work in a cycle.
`default_nettype none

module asip_memories #(
    parameter int unsigned CODE = 12,
    parameter int unsigned RAM  = 10
) (
    input wire clk_i,
    input wire code_i,
    input wire [31:0] code_address_i,
    output logic [31:0] code_o,
    input wire ram_i,
    input wire ram_write_i,
    input wire [31:0] ram_address_i,
    input wire [7:0] ram_enable_i,
    input wire [63:0] ram_written_i,
    output logic [63:0] ram_read_o
);
  logic [3:0] code_bank, ram_bank, code_bank_q, ram_bank_q;
  assign code_bank = code_address_i[18:15];
  assign ram_bank  = ram_address_i[17:14];
  always_ff @(posedge clk_i) begin
    if (code_i) code_bank_q <= code_bank;
    if (ram_i) ram_bank_q <= ram_bank;
  end

  logic [CODE-1:0][31:0] codes;
  for (genvar i = 0; i < CODE; i++) begin : gen_code
    RM_IHPSG13_1P_8192x32_c4 u_code (
        .A_CLK (clk_i),
        .A_MEN (code_i && code_bank == 4'(i)),
        .A_WEN (1'b0),
        .A_REN (1'b1),
        .A_ADDR(code_address_i[14:2]),
        .A_DIN ('0),
        .A_DOUT(codes[i])
    );
  end
  assign code_o = codes[code_bank_q];

  logic [63:0] mask;
  for (genvar i = 0; i < 8; i++) begin : gen_mask
    assign mask[8*i+:8] = {8{ram_enable_i[i]}};
  end
  logic [RAM-1:0][63:0] rams;
  for (genvar i = 0; i < RAM; i++) begin : gen_ram
    RM_IHPSG13_1P_2048x64_c2_bm_bist u_ram (
        .A_CLK (clk_i),
        .A_MEN (ram_i && ram_bank == 4'(i)),
        .A_WEN (ram_write_i),
        .A_REN (!ram_write_i),
        .A_BM  (mask),
        .A_ADDR(ram_address_i[13:3]),
        .A_DIN (ram_written_i),
        .A_DOUT(rams[i])
    );
  end
  assign ram_read_o = rams[ram_bank_q];
endmodule

// The macros' ports but those of their self-test.
module RM_IHPSG13_1P_8192x32_c4 (
    input wire A_CLK,
    input wire A_MEN,
    input wire A_WEN,
    input wire A_REN,
    input wire [12:0] A_ADDR,
    input wire [31:0] A_DIN,
    output logic [31:0] A_DOUT
);
endmodule

module RM_IHPSG13_1P_2048x64_c2_bm_bist (
    input wire A_CLK,
    input wire A_MEN,
    input wire A_WEN,
    input wire A_REN,
    input wire [63:0] A_BM,
    input wire [10:0] A_ADDR,
    input wire [63:0] A_DIN,
    output logic [63:0] A_DOUT
);
endmodule

`default_nettype wire
