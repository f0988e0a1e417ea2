// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The block that follows a block of a job, and the result of the job.
module chain_next
  import chain_pkg::*;
(
    input wire op_e op_i,
    input wire kind_e kind_i,
    input wire [1:0] part_i,  // of the mask or key in work
    input wire n24_i,
    input wire more_steps_i,
    output logic ends_o,  // nothing follows
    output kind_e kind_o,
    output logic [1:0] part_o,
    output logic result_o,  // the digest goes out
    output logic keep_a_o,  // the digest is the KEY, or the state after it, of the F that follows
    output logic keep_x_o  // the digest is the value that F will need
);
  logic fly, row, keyed;
  assign fly   = op_i == OpFly;
  assign row   = op_i == OpRow || op_i == OpNodeRow;
  assign keyed = kind_i == KindKey || (n24_i && kind_i == KindTail && part_i == '0);

  always_comb begin
    {ends_o, kind_o, part_o, result_o, keep_x_o} = {1'b0, KindRaw, 2'd0, 1'b0, 1'b0};
    keep_a_o = fly && keyed;
    unique case (kind_i)
      KindRaw: begin
        ends_o   = op_i != OpPair;
        kind_o   = KindPad;
        result_o = ends_o;
      end
      KindF: begin
        ends_o   = !more_steps_i;
        kind_o   = fly ? KindPrf : KindF;
        result_o = ends_o;
        keep_x_o = fly && more_steps_i;
      end
      KindPrf, KindTail, KindKey: begin
        if (n24_i && kind_i == KindPrf) begin
          kind_o = KindTail;
          part_o = part_i;
        end else if (keyed) begin
          kind_o   = KindPrf;
          part_o   = 2'd1;
          result_o = row;
        end else if (part_i == 2'd0) begin
          kind_o = KindKey;
        end else begin
          ends_o   = (op_i == OpRow) || part_i == 2'd2;
          kind_o   = fly ? KindF : KindPrf;
          part_o   = 2'd2;
          result_o = row;
        end
      end
      default: begin
        ends_o   = 1'b1;
        result_o = 1'b1;
      end
    endcase
  end
endmodule

`default_nettype wire
