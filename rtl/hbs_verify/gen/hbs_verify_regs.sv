// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the verifier of LMS, HSS and XMSS behind AXI. Written by `cargo xtask hw registers`
// from registers.toml.
`default_nettype none

module hbs_verify_regs
  import hbs_verify_regs_pkg::*;
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
        6'h0c: begin
          stored.command.op <= (stored.command.op & ~mask[0]) | ones[0];
          stored.command.hss <= (stored.command.hss & ~mask[4]) | ones[4];
          stored.command.digest <= (stored.command.digest & ~mask[5]) | ones[5];
          stored.command.xmss <= (stored.command.xmss & ~mask[6]) | ones[6];
          stored.command_strobe <= 1'b1;
        end
        6'h10:   stored.length.bytes <= (stored.length.bytes & ~mask[31:0]) | ones[31:0];
        6'h14:   stored.length_high.bytes <= (stored.length_high.bytes & ~mask[31:0]) | ones[31:0];
        6'h18: begin
          stored.done.answer <= (stored.done.answer & ~ones[0]) | core_i.done.answer;
          stored.done.lost   <= (stored.done.lost & ~ones[1]) | core_i.done.lost;
        end
        6'h1c: begin
          stored.interrupt_enable.answer <= (stored.interrupt_enable.answer & ~mask[0]) | ones[0];
          stored.interrupt_enable.lost   <= (stored.interrupt_enable.lost & ~mask[1]) | ones[1];
        end
        default: ;
      endcase
    end
    if (!rst_ni) begin
      stored <= '0;
    end
  end

  always_comb begin
    unique case (wr_addr_i)
      6'h0c, 6'h10, 6'h14, 6'h18, 6'h1c: wr_error_o = 1'b0;
      default: wr_error_o = 1'b1;
    endcase
  end

  always_comb begin
    unique case (rd_addr_i)
      6'h00, 6'h04, 6'h08, 6'h0c, 6'h10, 6'h14, 6'h18, 6'h1c, 6'h20, 6'h24: rd_error_o = 1'b0;
      default: rd_error_o = 1'b1;
    endcase
  end

  always_comb begin
    rd_data_o = '0;
    unique case (rd_addr_i)
      6'h00: begin
        rd_data_o[31:0] = 32'h48425356;
      end
      6'h04: begin
        rd_data_o[15:0]  = 16'h2;
        rd_data_o[31:16] = 16'h1;
      end
      6'h08: begin
        rd_data_o[0] = core_i.status.busy;
        rd_data_o[15:8] = core_i.status.verdict;
      end
      6'h0c: begin
        rd_data_o[0] = stored.command.op;
        rd_data_o[4] = stored.command.hss;
        rd_data_o[5] = stored.command.digest;
        rd_data_o[6] = stored.command.xmss;
      end
      6'h10: begin
        rd_data_o[31:0] = stored.length.bytes;
      end
      6'h14: begin
        rd_data_o[31:0] = stored.length_high.bytes;
      end
      6'h18: begin
        rd_data_o[0] = stored.done.answer;
        rd_data_o[1] = stored.done.lost;
      end
      6'h1c: begin
        rd_data_o[0] = stored.interrupt_enable.answer;
        rd_data_o[1] = stored.interrupt_enable.lost;
      end
      6'h20: begin
        rd_data_o[31:0] = core_i.cycles;
      end
      6'h24: begin
        rd_data_o[0] = core_i.features.xmss;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
