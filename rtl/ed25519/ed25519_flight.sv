// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Words whose products are on their way: index 0 with its factors in the operand registers, index
// LATENCY - 1 with its results.
`default_nettype none

module ed25519_flight
  import ed25519_pkg::*;
#(
    parameter int unsigned LATENCY = 2
) (
    input wire clk_i,
    input wire rst_ni,
    // The word at the program counter, its second factor as the digits choose it, and whether a
    // negative one exchanges where sum and difference go.
    input wire word_t word_i,
    input wire [6:0] b_source_i,
    input wire exchange_i,
    input wire issue_i,
    output logic stall_o,
    output word_t first_o,
    output word_t earlier_o,
    output word_t last_o,
    output logic first_valid_o,
    output logic earlier_valid_o,
    output logic last_valid_o
);
  word_t issued, flight_q[LATENCY];
  logic [LATENCY-1:0] valid_q;

  assign {first_o, first_valid_o} = {flight_q[0], valid_q[0]};
  assign {earlier_o, earlier_valid_o} = {flight_q[LATENCY-2], valid_q[LATENCY-2]};
  assign {last_o, last_valid_o} = {flight_q[LATENCY-1], valid_q[LATENCY-1]};

  always_comb begin
    issued = word_i;
    if (exchange_i) {issued.ds, issued.dm} = {word_i.dm, word_i.ds};
  end

  // A word waits while a factor is due later than this cycle, or, where it asks, while anything is
  // in flight.
  always_comb begin
    stall_o = word_i.drain && |valid_q;
    for (int unsigned k = 0; k < LATENCY - 1; k++) begin
      if (valid_q[k] && word_i.issue) begin
        stall_o |= hits(word_i.a, flight_q[k].dr, flight_q[k].ds, flight_q[k].dm);
        stall_o |= hits(b_source_i, flight_q[k].dr, flight_q[k].ds, flight_q[k].dm);
      end
    end
  end
  function automatic logic hits(logic [6:0] source, logic [5:0] dr, logic [5:0] ds, logic [5:0] dm);
    return !source[6] && (source[5:0] == dr || source[5:0] == ds || source[5:0] == dm);
  endfunction

  always_ff @(posedge clk_i) begin
    flight_q[0] <= issued;
    for (int unsigned k = 1; k < LATENCY; k++) flight_q[k] <= flight_q[k-1];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= LATENCY'({valid_q, issue_i});
  end
endmodule

`default_nettype wire
