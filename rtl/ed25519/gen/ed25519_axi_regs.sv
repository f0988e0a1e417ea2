// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the Ed25519 core behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
`default_nettype none

module ed25519_axi_regs
  import ed25519_axi_regs_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    // The bus of axil_front: byte addresses; a write and a read are over in one cycle.
    input wire wr_valid_i,
    input wire [AddressBits-1:0] wr_addr_i,
    input wire [31:0] wr_data_i,
    input wire [3:0] wr_strb_i,
    output logic wr_error_o,  // nothing to write there
    input wire [AddressBits-1:0] rd_addr_i,
    output logic [31:0] rd_data_o,
    output logic rd_error_o,  // nothing there
    input wire from_core_t core_i,
    output to_core_t core_o
);

  to_core_t stored;
  logic [31:0] mask, ones;
  assign mask   = {{8{wr_strb_i[3]}}, {8{wr_strb_i[2]}}, {8{wr_strb_i[1]}}, {8{wr_strb_i[0]}}};
  assign ones   = wr_data_i & mask;
  assign core_o = stored;

  always_ff @(posedge clk_i) begin
    stored.command_strobe <= 1'b0;
    stored.done <= stored.done | core_i.done;
    if (wr_valid_i) begin
      unique case (wr_addr_i)
        6'h10: begin
          stored.command.op <= (stored.command.op & ~mask[1:0]) | ones[1:0];
          stored.command_strobe <= 1'b1;
        end
        6'h14:   stored.done.response <= (stored.done.response & ~ones[0]) | core_i.done.response;
        6'h18:   stored.interrupt_enable.response <= (stored.interrupt_enable.response & ~mask[0]) | ones[0];
        6'h20:   stored.scratch <= (stored.scratch & ~mask[31:0]) | ones[31:0];
        default: ;
      endcase
    end
    if (!rst_ni) begin
      stored <= '0;
    end
  end

  always_comb begin
    unique case (wr_addr_i)
      6'h10, 6'h14, 6'h18, 6'h20: wr_error_o = 1'b0;
      default: wr_error_o = 1'b1;
    endcase
  end

  always_comb begin
    unique case (rd_addr_i)
      6'h00, 6'h04, 6'h08, 6'h0c, 6'h10, 6'h14, 6'h18, 6'h1c, 6'h20: rd_error_o = 1'b0;
      default: rd_error_o = 1'b1;
    endcase
  end

  always_comb begin
    rd_data_o = '0;
    unique case (rd_addr_i)
      6'h00: begin
        rd_data_o[31:0] = 32'h45443235;
      end
      6'h04: begin
        rd_data_o[15:0]  = 16'h0;
        rd_data_o[31:16] = 16'h2;
      end
      6'h08: begin
        rd_data_o[0]   = core_i.features.fast;
        rd_data_o[1]   = core_i.features.fixed_time;
        rd_data_o[2]   = core_i.features.half_size;
        rd_data_o[7:4] = core_i.features.latency;
      end
      6'h0c: begin
        rd_data_o[0] = core_i.status.busy;
        rd_data_o[2] = core_i.status.key;
        rd_data_o[1] = core_i.status.ok;
        rd_data_o[23:16] = core_i.status.verdict;
      end
      6'h10: begin
        rd_data_o[1:0] = stored.command.op;
      end
      6'h14: begin
        rd_data_o[0] = stored.done.response;
      end
      6'h18: begin
        rd_data_o[0] = stored.interrupt_enable.response;
      end
      6'h1c: begin
        rd_data_o[31:0] = core_i.cycles;
      end
      6'h20: begin
        rd_data_o[31:0] = stored.scratch;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
