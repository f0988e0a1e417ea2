// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Counts cycles in 64 bits, in quarters, so that no carry is longer than 16 bits. A quarter's
// `carry_q` comes with the last value of all those below it.
`default_nettype none

module cycle_counter (
    input wire clk_i,
    input wire clear_i,
    output logic [63:0] count_o
);

  logic [3:0][15:0] quarter_q;
  logic [3:0] full, carry_q;
  assign count_o = quarter_q;

  assign full[0] = quarter_q[0] == 16'hfffe;
  for (genvar i = 1; i < 4; i++) begin : g_full
    assign full[i] = quarter_q[i] == '1;
  end

  always_ff @(posedge clk_i) begin
    carry_q <= {&full[2:0], &full[1:0], full[0], 1'b1};
    for (int unsigned i = 0; i < 4; i++) quarter_q[i] <= quarter_q[i] + 16'(carry_q[i]);
    if (clear_i) begin
      quarter_q <= '0;
      carry_q   <= 4'b0001;
    end
  end

  wire unused = full[3];

endmodule

`default_nettype wire
