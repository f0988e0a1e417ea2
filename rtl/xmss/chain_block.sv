// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The words of a block by wiring: padding and constants by kind, the digest of the last block in its new place.
// RFC 8391, Section 5.1 (Implementing the Functions); for n = 24 SP 800-208, Section 5.2 (XMSS and
// XMSS^MT Parameter Sets with SHA-256/192);
// RFC 8554, Section 4.1 (Parameters) for LM-OTS.
module chain_block
  import sha256_pkg::*;
  import chain_pkg::*;
(
    input wire kind_e kind_i,
    input wire mode_e mode_i,
    input wire first_i,  // first step of a chain: the value is b1, not the digest
    input wire pair_i,  // two blocks of a node; n = 24
    input wire node_i,  // the address is a node's: word 6 as given
    input wire [7:0] step_i,
    input wire [1:0] part_i,  // keyAndMask
    input wire state_t digest_i,
    input wire [5:0][31:0] a_i,
    input wire state_t b0_i,
    input wire state_t b1_i,
    input wire [5:0][31:0] seed_i,
    output block_t block_o
);
  localparam word_t Mark = 32'h8000_0000;
  logic n24;
  state_t value, masked, address;
  assign n24 = mode_i == XmssN24;
  assign value = first_i ? b1_i : digest_i;
  assign masked = value ^ b0_i;
  always_comb begin
    address = b1_i;
    if (!node_i) address[6] = {24'd0, step_i};
    address[7] = {30'd0, part_i};
  end

  // F.
  block_t f_xmss, f_lms;
  always_comb begin
    f_xmss = '0;
    if (n24) begin
      f_xmss[6:1]  = a_i;
      f_xmss[12:7] = masked[5:0];
      f_xmss[13]   = Mark;
      f_xmss[15]   = 32'd416;
    end else begin
      f_xmss[7:0] = masked;
      f_xmss[8]   = Mark;
      f_xmss[15]  = 32'd768;
    end
  end
  always_comb begin
    f_lms = '0;
    f_lms[4:0] = a_i[4:0];
    f_lms[5] = {a_i[5][31:16], step_i, value[0][31:24]};
    for (int unsigned i = 0; i < 7; i++) f_lms[6+i] = {value[i][23:0], value[i+1][31:24]};
    f_lms[13] = {value[7][23:0], 8'h80};
    f_lms[15] = 32'd440;
    if (mode_i == LmsN24) begin
      f_lms[11][7:0] = 8'h80;
      f_lms[13:12] = '0;
      f_lms[15] = 32'd376;
    end
  end

  // PRF.
  block_t prf;
  always_comb begin
    prf = '0;
    if (n24) begin
      prf[0] = 32'd3;
      prf[6:1] = seed_i;
      prf[14:7] = address;
      prf[15] = Mark;
    end else begin
      prf[7:0] = address;
      prf[8]   = Mark;
      prf[15]  = 32'd768;
    end
  end

  always_comb begin
    block_o = '0;
    unique case (kind_i)
      KindF: block_o = mode_i[1] ? f_lms : f_xmss;
      KindPrf: block_o = prf;
      KindTail: block_o[15] = 32'd480;
      KindKey: begin
        block_o[7] = {31'd0, node_i};
        block_o[15:8] = digest_i;
      end
      KindPad:
      if (n24) begin
        block_o[3:0] = {Mark, b1_i[5:3]};
        block_o[15]  = 32'd608;
      end else begin
        block_o[0]  = Mark;
        block_o[15] = 32'd1024;
      end
      default: block_o = n24 && pair_i ? {b1_i[2:0], b0_i[5:0], a_i, 32'd1} : {b1_i, b0_i};
    endcase
  end
endmodule

`default_nettype wire
