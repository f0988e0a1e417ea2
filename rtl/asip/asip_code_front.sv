// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The port of the code. The first FAST bytes answer in the cycle after an address, the others a
// cycle later; with FAST = 0 all answer in the next cycle. Answers keep their order: a fast address
// waits behind a slow one.
module asip_code_front #(
    parameter int unsigned FAST = 0
) (
    input wire clk_i,
    input wire rst_ni,
    // The processor.
    input wire fetch_i,
    input wire [31:0] address_i,
    output logic ready_o,
    output logic answered_o,
    // The memory.
    output logic code_o,
    input wire code_ready_i
);
  localparam int unsigned Size = 20;  // address bits of the code
  if (FAST != 0 && (FAST != 1 << $clog2(FAST) || $clog2(FAST) >= Size)) begin : g_bad_fast
    $error("FAST is 0 or a power of two, smaller than the code");
  end

  logic slow, goes, waits_q, answers_q;
  if (FAST == 0) begin : gen_alike
    assign slow = 1'b0;
  end else begin : gen_slow
    assign slow = address_i[Size-1:$clog2(FAST)] != '0;
  end
  assign code_o = fetch_i && (slow || !waits_q);
  assign ready_o = code_ready_i && (slow || !waits_q);
  assign goes = rst_ni && code_o && code_ready_i;
  always_ff @(posedge clk_i) begin
    waits_q   <= goes && slow;
    answers_q <= rst_ni && ((goes && !slow) || waits_q);
  end
  assign answered_o = answers_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic unused;
  assign unused = &{1'b0, address_i};
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
