// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Half-size scalars: `u = v k modulo 8L` with v odd, by the remainders of Euclid's algorithm on 8L
// and k.
//
// A row is a remainder, shifted up by the scale, and what it is a multiple of k by; rows have
// opposite signs. A cycle shifts the lower row up, or, where it is aligned or a quotient under way,
// takes one bit of the quotient off the upper one. The first remainder below 2^128 is u where its
// row is odd, else the remainder before it. At most 436 cycles; their number depends on k, which is
// public.
`default_nettype none

module ed25519_halve
  import ed25519_pkg::*;
(
    input wire clk_i,
    // No pair from now on until one has been made of a new k.
    input wire start_i,
    input wire load_i,
    input wire [252:0] k_i,
    output logic done_o,
    output halved_t halved_o
);
  logic [256:0] upper_q, rest;
  logic [255:0] lower_q;
  logic [HalfBits-1:0] upper_t_q, sum;
  logic [HalfBits:0] lower_t_q;
  logic [7:0] scale_q, distance_q;
  logic active_q, dividing_q, negative_q, odd_q, found, divide, last;

  ed25519_halve_step u_step (
      .upper_i(upper_q),
      .lower_i(lower_q),
      .upper_t_i(upper_t_q),
      .lower_t_i(lower_t_q[HalfBits-1:0]),
      .rest_o(rest),
      .sum_o(sum)
  );

  assign found  = !dividing_q && scale_q == 8'(HalfBits);
  assign divide = dividing_q || lower_q[255];
  assign last   = distance_q == '0;
  assign done_o = active_q && found && (!odd_q || last);

  always_comb begin
    halved_o.u = odd_q ? lower_q[255:3] : upper_q[255:3];
    halved_o.v = odd_q ? lower_t_q[HalfBits-1:0] : upper_t_q;
    halved_o.more = distance_q;
    halved_o.negative = negative_q == odd_q;
  end

  always_ff @(posedge clk_i) begin
    active_q <= load_i || (active_q && !start_i);
    if (load_i) begin
      upper_q <= 257'(ConstEightL);
      lower_q <= 256'(k_i);
      upper_t_q <= '0;
      lower_t_q <= (HalfBits + 1)'(1);
      scale_q <= '0;
      distance_q <= '0;
      {dividing_q, negative_q, odd_q} <= 3'b001;
    end else if (found) begin
      // The row shifted back.
      if (!done_o) begin
        lower_t_q  <= lower_t_q >> 1;
        distance_q <= distance_q - 8'd1;
      end
    end else if (!divide) begin
      lower_q <= lower_q << 1;
      lower_t_q <= lower_t_q << 1;
      scale_q <= scale_q + 8'd1;
      distance_q <= distance_q + 8'd1;
    end else if (!last) begin
      upper_q <= rest << 1;
      upper_t_q <= sum;
      lower_t_q <= lower_t_q >> 1;
      distance_q <= distance_q - 8'd1;
      dividing_q <= 1'b1;
    end else begin
      upper_q <= {1'b0, lower_q};
      lower_q <= rest[255:0];
      upper_t_q <= lower_t_q[HalfBits-1:0];
      lower_t_q <= {1'b0, sum};
      dividing_q <= 1'b0;
      negative_q <= !negative_q;
      odd_q <= sum[0];
    end
  end
endmodule

`default_nettype wire
