// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Pipelined multiplier modulo p (or L, or of raw bits) with modular addition and subtraction in the
// same step.
//
// One product per cycle. `a_i`, `b_i`, `twice_i` (the product is 2 a b) and `mode_i` come from
// registers; the results for them are out, still combinational, in cycle LATENCY - 1 after, to be
// registered by the user: a product issued in cycle n can be a factor again in cycle n + LATENCY.
// The term `c_i` of s = c + r and m = c - r is taken one cycle before the results come. Modes Low
// and High of one product are issued `SLOTS` cycles apart, in that order.
`default_nettype none

module mul25519
  import mul25519_pkg::*;
  import mul25519_cuts_pkg::*;
#(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned SLOTS = 1,
    parameter int unsigned TILE_A = 17,
    parameter int unsigned TILE_B = 17,
    // Levels of Karatsuba's method, 0 to 2.
    parameter int unsigned KARATSUBA = 0,
    // Booth's method in place of tiles, for standard cells.
    parameter bit BOOTH = 1'b0
) (
    input wire clk_i,
    input wire mode_e mode_i,
    input wire twice_i,
    input wire [256:0] a_i,
    input wire [255:0] b_i,
    input wire [256:0] c_i,
    output logic [256:0] r_o,
    output logic [256:0] s_o,
    output logic [256:0] m_o
);
  if (LATENCY < 2 || LATENCY > 8) begin : g_bad_latency
    $error("LATENCY is 2 to 8");
  end
  if (!(TILE_A inside {17, 24} && TILE_B inside {17, 24})) begin : g_bad_tiles
    $error("tiles are of 17 or 24 bits");
  end
  if (KARATSUBA > 2) begin : g_bad_karatsuba
    $error("KARATSUBA is 0 to 2");
  end
  if (BOOTH && KARATSUBA != 0) begin : g_bad_booth
    $error("BOOTH has no KARATSUBA");
  end

  localparam cuts_t Cuts = cuts(LATENCY, BOOTH);
  localparam bit Wraps = KARATSUBA != 0 || BOOTH;
  localparam int unsigned AtFold = before_fold(Cuts);
  localparam int unsigned AtEstimate = AtFold + int'(Cuts.half) + int'(Cuts.fold);
  localparam int unsigned AtResults = AtEstimate + int'(Cuts.estimate);

  logic [256:0] c_q;
  logic [512:0] product[2];
  logic [Width-1:0] x[2];
  short_t short_x;

  mode_e modes[LATENCY];
  assign modes[0] = mode_i;
  for (genvar k = 1; k < LATENCY; k++) begin : gen_mode
    always_ff @(posedge clk_i) modes[k] <= modes[k-1];
  end

  logic [255:0] b;
  logic [256:0] scalars[AtFold+1];
  assign b = twice_i ? {b_i[254:0], 1'b0} : b_i;
  assign scalars[0] = Wraps ? a_i : '0;
  for (genvar k = 1; k <= AtFold; k++) begin : gen_scalar
    always_ff @(posedge clk_i) scalars[k] <= scalars[k-1];
  end

  if (BOOTH) begin : gen_booth
    mul25519_booth #(
        .LATENCY(LATENCY)
    ) u_rows (
        .clk_i,
        .a_i,
        .b_i(b),
        .rows_o(product)
    );
  end else if (KARATSUBA == 0) begin : gen_tiles
    mul25519_rows #(
        .LATENCY(LATENCY),
        .TILE_A (TILE_A),
        .TILE_B (TILE_B)
    ) u_rows (
        .clk_i,
        .a_i,
        .b_i(b),
        .rows_o(product)
    );
  end else begin : gen_karatsuba
    mul25519_karatsuba #(
        .LATENCY(LATENCY),
        .LEVELS (KARATSUBA),
        .TILE_A (TILE_A),
        .TILE_B (TILE_B)
    ) u_rows (
        .clk_i,
        .a_i,
        .b_i(b),
        .rows_o(product)
    );
  end

  mul25519_reduce #(
      .LATENCY(LATENCY),
      .BOOTH  (BOOTH),
      .WRAPS  (Wraps)
  ) u_reduce (
      .clk_i,
      .fold_mode_i(modes[AtFold]),
      .estimate_mode_i(modes[AtEstimate]),
      .rows_i(product),
      .scalar_i(scalars[AtFold]),
      .rows_o(x),
      .short_o(short_x)
  );

  mul25519_results #(
      .SLOTS(SLOTS),
      .WRAPS(Wraps)
  ) u_results (
      .clk_i,
      .mode_i (modes[AtResults]),
      .rows_i (x),
      .short_i(short_x),
      .c_i    (c_q),
      .r_o,
      .s_o,
      .m_o
  );
  always_ff @(posedge clk_i) c_q <= c_i;
endmodule

`default_nettype wire
