// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The memories of IHP SG13G2 that whole netlists are joined with: the macros' ports but those of
// their self-test.
module RM_IHPSG13_1P_1024x64_c2_bm_bist (
    input wire A_CLK,
    input wire A_MEN,
    input wire A_WEN,
    input wire A_REN,
    input wire [63:0] A_BM,
    input wire [9:0] A_ADDR,
    input wire [63:0] A_DIN,
    output logic [63:0] A_DOUT
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

module RM_IHPSG13_1P_256x64_c2_bm_bist (
    input wire A_CLK,
    input wire A_MEN,
    input wire A_WEN,
    input wire A_REN,
    input wire [63:0] A_BM,
    input wire [7:0] A_ADDR,
    input wire [63:0] A_DIN,
    output logic [63:0] A_DOUT
);
endmodule

module RM_IHPSG13_1P_512x32_c2_bm_bist (
    input wire A_CLK,
    input wire A_MEN,
    input wire A_WEN,
    input wire A_REN,
    input wire [31:0] A_BM,
    input wire [8:0] A_ADDR,
    input wire [31:0] A_DIN,
    output logic [31:0] A_DOUT
);
endmodule

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

module RM_IHPSG13_2P_256x32_c2_bm_bist (
    input wire A_CLK,
    input wire A_MEN,
    input wire A_WEN,
    input wire A_REN,
    input wire [31:0] A_BM,
    input wire [7:0] A_ADDR,
    input wire [31:0] A_DIN,
    output logic [31:0] A_DOUT,
    input wire B_CLK,
    input wire B_MEN,
    input wire B_WEN,
    input wire B_REN,
    input wire [31:0] B_BM,
    input wire [7:0] B_ADDR,
    input wire [31:0] B_DIN,
    output logic [31:0] B_DOUT
);
endmodule

`default_nettype wire
