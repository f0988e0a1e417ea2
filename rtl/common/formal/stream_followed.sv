// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// `axis_slice` or `axis_register` keeps the rule of a stream, and every beat that goes in comes out
// once, in order: one beat is marked at any time, and those before it are counted.
`default_nettype none

module stream_followed #(
    parameter bit SLICE = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire [3:0] data_i,
    input wire ready_i,
    // This beat is followed, if none is.
    input wire mark_i,
    output logic differs_o
);
  logic in_ready, out_valid, moves;
  logic [3:0] out_data;
  if (SLICE) begin : gen_slice
    axis_slice #(
        .BITS(4)
    ) u_stream (
        .ready_o(in_ready),
        .valid_o(out_valid),
        .data_o (out_data),
        .*
    );
  end else begin : gen_register
    axis_register #(
        .BITS(4)
    ) u_stream (
        .ready_o(in_ready),
        .valid_o(out_valid),
        .data_o (out_data),
        .*
    );
  end
  axis_rules #(
      .BITS(4)
  ) u_rules (
      .clk_i,
      .rst_ni,
      .valid_i(out_valid),
      .ready_i,
      .data_i (out_data),
      .moves_o(moves)
  );

  // Beats inside, and how many of them leave before the marked one, which is the last of those.
  logic takes, gives, marked_q;
  logic [1:0] inside_q, before_q;
  logic [3:0] data_q;
  assign takes = valid_i && in_ready;
  assign gives = out_valid && ready_i;
  always_ff @(posedge clk_i) begin
    inside_q <= rst_ni ? inside_q + 2'(takes) - 2'(gives) : '0;
    if (!marked_q) {before_q, data_q} <= {inside_q - 2'(gives), data_i};
    else before_q <= before_q - 2'(gives);
    marked_q <= rst_ni && (marked_q ? !(gives && before_q == '0) : takes && mark_i);
  end

  logic counted, followed;
  if (SLICE) begin : gen_counted
    assign counted  = inside_q == 2'(out_valid) + 2'(!in_ready) && (out_valid || in_ready);
    assign followed = before_q == '0 ? data_q == out_data : data_q == gen_slice.u_stream.spare_data_q;
  end else begin : gen_counted
    assign counted  = inside_q == 2'(out_valid);
    assign followed = data_q == out_data;
  end
  assign differs_o = moves || !counted || (marked_q && !(followed && before_q < inside_q));
endmodule

`default_nettype wire
