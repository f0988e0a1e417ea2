// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One round of Keccak-p[1600, 24] a second time: bit by bit, index by index as FIPS 202, section
// 3.2 (Step Mappings) writes it, with the offsets of its table 2 and the round constants written
// out. Used for proofs only.
`default_nettype none

module round_text (
    input wire [1599:0] a_i,
    input wire [4:0] round_i,
    output logic [1599:0] a_o
);

  // Table 2 (offsets of rho), at 5y + x, modulo 64.
  localparam int unsigned Offset[25] = '{0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};

  localparam logic [63:0] Constant[24] = '{
      64'h0000000000000001,
      64'h0000000000008082,
      64'h800000000000808A,
      64'h8000000080008000,
      64'h000000000000808B,
      64'h0000000080000001,
      64'h8000000080008081,
      64'h8000000000008009,
      64'h000000000000008A,
      64'h0000000000000088,
      64'h0000000080008009,
      64'h000000008000000A,
      64'h000000008000808B,
      64'h800000000000008B,
      64'h8000000000008089,
      64'h8000000000008003,
      64'h8000000000008002,
      64'h8000000000000080,
      64'h000000000000800A,
      64'h800000008000000A,
      64'h8000000080008081,
      64'h8000000000008080,
      64'h0000000080000001,
      64'h8000000080008008
  };

  // Bit (x, y, z) is 64(5y + x) + z.
  for (genvar x = 0; x < 5; x++) begin : g_x
    for (genvar z = 0; z < 64; z++) begin : g_z
      wire parity = a_i[64*x+z] ^ a_i[64*(5+x)+z] ^ a_i[64*(10+x)+z] ^ a_i[64*(15+x)+z] ^ a_i[64*(20+x)+z];
    end
  end

  logic [1599:0] theta, rho, pi, chi;
  for (genvar i = 0; i < 1600; i++) begin : g_bit
    localparam int X = i / 64 % 5;
    localparam int Y = i / 320;
    localparam int Z = i % 64;
    assign theta[i] = a_i[i] ^ g_x[(X+4)%5].g_z[Z].parity ^ g_x[(X+1)%5].g_z[(Z+63)%64].parity;
    assign rho[i]   = theta[64*(5*Y+X)+(Z+64-Offset[5*Y+X])%64];
    assign pi[i]    = rho[64*(5*X+(X+3*Y)%5)+Z];
    assign chi[i]   = pi[i] ^ ((pi[64*(5*Y+(X+1)%5)+Z] ^ 1'b1) & pi[64*(5*Y+(X+2)%5)+Z]);
  end

  assign a_o = {chi[1599:64], chi[63:0] ^ (round_i < 5'd24 ? Constant[round_i] : 64'd0)};

endmodule

`default_nettype wire
