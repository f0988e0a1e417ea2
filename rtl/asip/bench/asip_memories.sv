// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The memories of a processor in IHP SG13G2 (`whole.toml`), 384 KiB for code and KIB of RAM.
// Code lies in macros of 8,192 words of 32 bits. Its first FAST bytes are in macros of 512 words,
// and what is behind them comes a cycle later, out of a register. The RAM has macros of 2,048 words
// of 64 bits, or as a RAM of 128 bits pairs of macros of 256 words.
`default_nettype none

module asip_memories #(
    parameter int unsigned FAST = 0,
    parameter int unsigned RAM  = 64,
    parameter int unsigned KIB  = 160
) (
    input wire clk_i,
    input wire code_i,
    input wire [31:0] code_address_i,
    output logic [31:0] code_o,
    input wire ram_i,
    input wire ram_write_i,
    input wire [31:0] ram_address_i,
    input wire [RAM/8-1:0] ram_enable_i,
    input wire [RAM-1:0] ram_written_i,
    output logic [RAM-1:0] ram_read_o
);
  localparam int unsigned Codes = 12;  // of 32 KiB
  localparam int unsigned FirstSlow = FAST / 32768;
  logic [3:0] code_bank, code_bank_q;
  assign code_bank = code_address_i[18:15];
  always_ff @(posedge clk_i) if (code_i) code_bank_q <= code_bank;
  logic [Codes-1:0][31:0] codes;
  logic [31:0] code;
  for (genvar i = FirstSlow; i < Codes; i++) begin : gen_code
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
  for (genvar i = 0; i < FirstSlow; i++) begin : gen_none
    assign codes[i] = '0;
  end
  assign code = codes[code_bank_q];

  if (FAST == 0) begin : gen_alike
    assign code_o = code;
  end else begin : gen_fast
    localparam int unsigned Banks = FAST / 2048;
    localparam int unsigned Width = $clog2(Banks);
    logic [Banks-1:0] here, here_q;
    logic [Banks-1:0][31:0] words;
    logic [31:0] fast, late_q;
    logic late_there_q;
    for (genvar i = 0; i < Banks; i++) begin : gen_bank
      assign here[i] = code_i && code_address_i[18:11] == 8'(i);
      RM_IHPSG13_1P_512x32_c2_bm_bist u_code (
          .A_CLK (clk_i),
          .A_MEN (here[i]),
          .A_WEN (1'b0),
          .A_REN (1'b1),
          .A_BM  ('0),
          .A_ADDR(code_address_i[10:2]),
          .A_DIN ('0),
          .A_DOUT(words[i])
      );
    end
    always_comb begin
      fast = late_there_q ? late_q : '0;
      for (int i = 0; i < int'(Banks); i++) fast |= here_q[i] ? words[i] : '0;
    end
    always_ff @(posedge clk_i) begin
      here_q <= here;
      late_q <= code;
      late_there_q <= here_q == '0;
    end
    assign code_o = fast;
  end

  if (RAM == 64) begin : gen_large
    localparam int unsigned Rams = KIB / 16;
    localparam int unsigned Width = $clog2(Rams);
    logic [Width-1:0] bank, bank_q;
    logic [63:0] mask;
    logic [Rams-1:0][63:0] words;
    assign bank = ram_address_i[14+:Width];
    always_ff @(posedge clk_i) if (ram_i) bank_q <= bank;
    for (genvar i = 0; i < 8; i++) begin : gen_mask
      assign mask[8*i+:8] = {8{ram_enable_i[i]}};
    end
    for (genvar i = 0; i < Rams; i++) begin : gen_ram
      RM_IHPSG13_1P_2048x64_c2_bm_bist u_ram (
          .A_CLK (clk_i),
          .A_MEN (ram_i && bank == Width'(i)),
          .A_WEN (ram_write_i),
          .A_REN (!ram_write_i),
          .A_BM  (mask),
          .A_ADDR(ram_address_i[13:3]),
          .A_DIN (ram_written_i),
          .A_DOUT(words[i])
      );
    end
    assign ram_read_o = words[bank_q];
  end else begin : gen_small
    localparam int unsigned Rams = KIB / 4;
    localparam int unsigned Width = $clog2(Rams);
    logic [127:0] mask;
    logic [Rams-1:0] here, here_q;
    logic [1:0] half;
    logic [Rams-1:0][127:0] words;
    assign half = {ram_enable_i[15:8] != '0, ram_enable_i[7:0] != '0};
    for (genvar i = 0; i < 16; i++) begin : gen_mask
      assign mask[8*i+:8] = {8{ram_enable_i[i]}};
    end
    for (genvar i = 0; i < Rams; i++) begin : gen_ram
      assign here[i] = ram_i && ram_address_i[12+:Width] == Width'(i);
      for (genvar k = 0; k < 2; k++) begin : gen_half
        RM_IHPSG13_1P_256x64_c2_bm_bist u_ram (
            .A_CLK (clk_i),
            .A_MEN (here[i] && half[k]),
            .A_WEN (ram_write_i),
            .A_REN (!ram_write_i),
            .A_BM  (mask[64*k+:64]),
            .A_ADDR(ram_address_i[11:4]),
            .A_DIN (ram_written_i[64*k+:64]),
            .A_DOUT(words[i][64*k+:64])
        );
      end
    end
    always_ff @(posedge clk_i) if (ram_i) here_q <= here;
    always_comb begin
      ram_read_o = '0;
      for (int i = 0; i < int'(Rams); i++) ram_read_o |= here_q[i] ? words[i] : '0;
    end
  end
endmodule

`default_nettype wire
