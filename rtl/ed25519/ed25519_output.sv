// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The output stream of one operation. Keygen: s, prefix, A. Sign: R, S. Verify: nothing.
`default_nettype none

module ed25519_output
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire start_i,
    input wire op_e op_i,
    // Values that can go out: the digest of the seed, the point, the scalar.
    input wire [511:0] digest_i,
    input wire digest_valid_i,
    input wire [255:0] point_i,
    input wire point_valid_i,
    input wire [255:0] scalar_i,
    input wire scalar_valid_i,
    output logic valid_o,
    input wire ready_i,
    output logic [63:0] data_o,
    output logic last_o,
    output logic done_o
);
  logic [3:0] index_q;
  logic [255:0] part;
  logic keygen;

  logic unused_bits;
  assign unused_bits = ^{digest_i[255:254], digest_i[2:0]};

  assign keygen = op_i == OpKeygen;
  assign done_o = op_i == OpVerify || index_q == (keygen ? 4'd12 : 4'd8);
  assign last_o = index_q == (keygen ? 4'd11 : 4'd7);

  always_comb begin
    part = point_i;
    valid_o = point_valid_i;
    unique case ({
      keygen, index_q[3:2]
    })
      3'b100: begin
        part = {2'b01, digest_i[253:3], 3'b000};
        valid_o = digest_valid_i;
      end
      3'b101: begin
        part = digest_i[511:256];
        valid_o = digest_valid_i;
      end
      3'b001: begin
        part = scalar_i;
        valid_o = scalar_valid_i;
      end
      default: ;
    endcase
    if (done_o) valid_o = 1'b0;
  end
  assign data_o = part[64*index_q[1:0]+:64];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) index_q <= '0;
    else if (start_i) index_q <= '0;
    else if (valid_o && ready_i) index_q <= index_q + 4'd1;
  end
endmodule

`default_nettype wire
