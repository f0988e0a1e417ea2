// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Registers of the SHA-3 unit behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
`default_nettype none

module sha3_regs
  import sha3_regs_pkg::*;
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
    stored.control <= '0;
    if (wr_valid_i) begin
      unique case (wr_addr_i)
        7'h10: begin
          stored.command.op <= (stored.command.op & ~mask[2:0]) | ones[2:0];
          stored.command.tag <= (stored.command.tag & ~mask[5:4]) | ones[5:4];
          stored.command.rate <= (stored.command.rate & ~mask[12:8]) | ones[12:8];
          stored.command.suffix <= (stored.command.suffix & ~mask[23:16]) | ones[23:16];
          stored.command.lanes <= (stored.command.lanes & ~mask[26:24]) | ones[26:24];
          stored.command_strobe <= 1'b1;
        end
        7'h14:   stored.length <= (stored.length & ~mask[31:0]) | ones[31:0];
        7'h18:   stored.steps.count <= (stored.steps.count & ~mask[15:0]) | ones[15:0];
        7'h1c:   stored.counter <= (stored.counter & ~mask[31:0]) | ones[31:0];
        7'h20:   stored.data[0] <= (stored.data[0] & ~mask[31:0]) | ones[31:0];
        7'h24:   stored.data[1] <= (stored.data[1] & ~mask[31:0]) | ones[31:0];
        7'h28:   stored.data[2] <= (stored.data[2] & ~mask[31:0]) | ones[31:0];
        7'h2c:   stored.data[3] <= (stored.data[3] & ~mask[31:0]) | ones[31:0];
        7'h30:   stored.data[4] <= (stored.data[4] & ~mask[31:0]) | ones[31:0];
        7'h34:   stored.data[5] <= (stored.data[5] & ~mask[31:0]) | ones[31:0];
        7'h38:   stored.data[6] <= (stored.data[6] & ~mask[31:0]) | ones[31:0];
        7'h3c:   stored.data[7] <= (stored.data[7] & ~mask[31:0]) | ones[31:0];
        7'h40:   stored.done.tag <= (stored.done.tag & ~ones[3:0]) | core_i.done.tag;
        7'h44:   stored.interrupt_enable.tag <= (stored.interrupt_enable.tag & ~mask[3:0]) | ones[3:0];
        7'h50:   stored.control.clear <= ones[0];
        default: ;
      endcase
    end
    if (!rst_ni) begin
      stored <= '0;
    end
  end

  always_comb begin
    unique case (wr_addr_i)
      7'h10, 7'h14, 7'h18, 7'h1c, 7'h20, 7'h24, 7'h28, 7'h2c, 7'h30, 7'h34, 7'h38, 7'h3c, 7'h40, 7'h44, 7'h50: wr_error_o = 1'b0;
      default: wr_error_o = 1'b1;
    endcase
  end

  always_comb begin
    unique case (rd_addr_i)
      7'h00, 7'h04, 7'h08, 7'h0c, 7'h10, 7'h14, 7'h18, 7'h1c, 7'h20, 7'h24, 7'h28, 7'h2c, 7'h30, 7'h34, 7'h38, 7'h3c, 7'h40, 7'h44, 7'h48, 7'h4c, 7'h50:
      rd_error_o = 1'b0;
      default: rd_error_o = 1'b1;
    endcase
  end

  always_comb begin
    rd_data_o = '0;
    unique case (rd_addr_i)
      7'h00: begin
        rd_data_o[31:0] = 32'h53484133;
      end
      7'h04: begin
        rd_data_o[15:0]  = 16'h0;
        rd_data_o[31:16] = 16'h1;
      end
      7'h08: begin
        rd_data_o[3:0] = core_i.features.unroll;
        rd_data_o[5:4] = core_i.features.inner;
        rd_data_o[6] = core_i.features.outreg;
        rd_data_o[11:8] = core_i.features.tags;
      end
      7'h0c: begin
        rd_data_o[0] = core_i.status.busy;
      end
      7'h10: begin
        rd_data_o[2:0]   = stored.command.op;
        rd_data_o[5:4]   = stored.command.tag;
        rd_data_o[12:8]  = stored.command.rate;
        rd_data_o[23:16] = stored.command.suffix;
        rd_data_o[26:24] = stored.command.lanes;
      end
      7'h14: begin
        rd_data_o[31:0] = stored.length;
      end
      7'h18: begin
        rd_data_o[15:0] = stored.steps.count;
      end
      7'h1c: begin
        rd_data_o[31:0] = stored.counter;
      end
      7'h40: begin
        rd_data_o[3:0] = stored.done.tag;
      end
      7'h44: begin
        rd_data_o[3:0] = stored.interrupt_enable.tag;
      end
      7'h48: begin
        rd_data_o[31:0] = core_i.cycles_low;
      end
      7'h4c: begin
        rd_data_o[31:0] = core_i.cycles_high;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
