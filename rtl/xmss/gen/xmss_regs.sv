// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the XMSS and LMS engine behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
`default_nettype none

module xmss_regs
  import xmss_regs_pkg::*;
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
          stored.command.op <= (stored.command.op & ~mask[3:0]) | ones[3:0];
          stored.command.check <= (stored.command.check & ~mask[4]) | ones[4];
          stored.command.idle <= (stored.command.idle & ~mask[5]) | ones[5];
          stored.command.chain_table <= (stored.command.chain_table & ~mask[6]) | ones[6];
          stored.command.mode <= (stored.command.mode & ~mask[9:8]) | ones[9:8];
          stored.command.octets <= (stored.command.octets & ~mask[10]) | ones[10];
          stored.command.narrow <= (stored.command.narrow & ~mask[11]) | ones[11];
          stored.command.height <= (stored.command.height & ~mask[20:16]) | ones[20:16];
          stored.command_strobe <= 1'b1;
        end
        6'h14:   stored.index <= (stored.index & ~mask[31:0]) | ones[31:0];
        6'h18:   stored.length.bytes <= (stored.length.bytes & ~mask[31:0]) | ones[31:0];
        6'h1c: begin
          stored.done.answer <= (stored.done.answer & ~ones[0]) | core_i.done.answer;
          stored.done.lost   <= (stored.done.lost & ~ones[1]) | core_i.done.lost;
        end
        6'h20: begin
          stored.interrupt_enable.answer <= (stored.interrupt_enable.answer & ~mask[0]) | ones[0];
          stored.interrupt_enable.lost   <= (stored.interrupt_enable.lost & ~mask[1]) | ones[1];
        end
        6'h28:   stored.length_high.bytes <= (stored.length_high.bytes & ~mask[27:0]) | ones[27:0];
        default: ;
      endcase
    end
    if (!rst_ni) begin
      stored <= '0;
    end
  end

  always_comb begin
    unique case (wr_addr_i)
      6'h10, 6'h14, 6'h18, 6'h1c, 6'h20, 6'h28: wr_error_o = 1'b0;
      default: wr_error_o = 1'b1;
    endcase
  end

  always_comb begin
    unique case (rd_addr_i)
      6'h00, 6'h04, 6'h08, 6'h0c, 6'h10, 6'h14, 6'h18, 6'h1c, 6'h20, 6'h24, 6'h28: rd_error_o = 1'b0;
      default: rd_error_o = 1'b1;
    endcase
  end

  always_comb begin
    rd_data_o = '0;
    unique case (rd_addr_i)
      6'h00: begin
        rd_data_o[31:0] = 32'h584d5353;
      end
      6'h04: begin
        rd_data_o[15:0]  = 16'h6;
        rd_data_o[31:16] = 16'h1;
      end
      6'h08: begin
        rd_data_o[7:0]  = core_i.features.cores;
        rd_data_o[11:8] = core_i.features.unroll;
        rd_data_o[12]   = core_i.features.shake;
        rd_data_o[13]   = core_i.features.narrow;
      end
      6'h0c: begin
        rd_data_o[0] = core_i.status.busy;
        rd_data_o[1] = core_i.status.full;
        rd_data_o[5:4] = core_i.status.result;
        rd_data_o[7:6] = core_i.status.earlier;
        rd_data_o[15:8] = core_i.status.answers;
        rd_data_o[23:16] = core_i.status.verdict;
      end
      6'h10: begin
        rd_data_o[3:0] = stored.command.op;
        rd_data_o[4] = stored.command.check;
        rd_data_o[5] = stored.command.idle;
        rd_data_o[6] = stored.command.chain_table;
        rd_data_o[9:8] = stored.command.mode;
        rd_data_o[10] = stored.command.octets;
        rd_data_o[11] = stored.command.narrow;
        rd_data_o[20:16] = stored.command.height;
      end
      6'h14: begin
        rd_data_o[31:0] = stored.index;
      end
      6'h18: begin
        rd_data_o[31:0] = stored.length.bytes;
      end
      6'h1c: begin
        rd_data_o[0] = stored.done.answer;
        rd_data_o[1] = stored.done.lost;
      end
      6'h20: begin
        rd_data_o[0] = stored.interrupt_enable.answer;
        rd_data_o[1] = stored.interrupt_enable.lost;
      end
      6'h24: begin
        rd_data_o[31:0] = core_i.cycles;
      end
      6'h28: begin
        rd_data_o[27:0] = stored.length_high.bytes;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
