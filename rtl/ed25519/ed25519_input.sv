// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The input streams of one operation: a seed from the key's stream, keys and signatures into
// registers, hashed parts and messages on to the hash units.
//
// Words in order: keygen seed, from the key's stream; sign M and later M again; verify R, A, S, M.
// Before M the hash unit of a signature gets what the lane holds: the prefix, and in the second
// pass R, which the core has computed, and A. A message ends with `last_i`.
`default_nettype none

module ed25519_input
  import ed25519_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire wipe_i,
    input wire start_i,
    input wire again_i,
    input wire op_e op_i,
    // Prefix and public key that are held, and R.
    input wire [255:0] prefix_i,
    input wire [255:0] public_i,
    input wire [255:0] point_i,
    input wire key_valid_i,
    output logic key_ready_o,
    input wire [63:0] key_data_i,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] data_i,
    input wire [3:0] bytes_i,
    input wire last_i,
    output logic [255:0] inputs_o[3],
    output logic loaded_o,
    // R and A of a verification are no points of small order.
    output logic proper_o,
    // Words for the hash unit, and whether they belong to the message.
    output logic hash_valid_o,
    input wire hash_ready_i,
    output logic [63:0] hash_data_o,
    output logic [3:0] hash_bytes_o,
    output logic hash_last_o,
    output logic hash_message_o
);
  typedef enum logic [2:0] {
    StIdle,
    StSeed,
    StHeld,
    StParts,
    StMessage
  } state_e;

  state_e state_q, state_d;
  logic again_q;
  logic [3:0] index_q, last_held;
  logic [255:0] inputs_q[3], held;
  logic hashed, step;

  assign inputs_o = inputs_q;
  assign loaded_o = state_q == StMessage || state_q == StIdle;
  // R and A of a verification are hashed, S is not.
  assign hashed = !index_q[3];
  assign last_held = again_q ? 4'd7 : 4'd3;

  assign key_ready_o = state_q == StSeed && hash_ready_i;
  assign ready_o = (state_q == StParts && (!hashed || hash_ready_i)) || (state_q == StMessage && hash_ready_i);
  always_comb begin
    unique case (state_q)
      StSeed: hash_valid_o = key_valid_i;
      StHeld: hash_valid_o = 1'b1;
      StParts: hash_valid_o = valid_i && hashed;
      StMessage: hash_valid_o = valid_i;
      default: hash_valid_o = 1'b0;
    endcase
  end
  assign hash_message_o = state_q == StMessage;
  assign hash_bytes_o = hash_message_o && last_i ? bytes_i : 4'd8;
  assign hash_last_o = hash_message_o ? last_i : state_q == StSeed && index_q == 4'd3;
  assign held = !again_q ? prefix_i : index_q[2] ? public_i : point_i;
  always_comb begin
    hash_data_o = data_i;
    if (state_q == StSeed) hash_data_o = key_data_i;
    if (state_q == StHeld) hash_data_o = held[64*index_q[1:0]+:64];
  end

  always_comb begin
    step = valid_i && ready_o;
    if (state_q == StSeed) step = key_valid_i && key_ready_o;
    if (state_q == StHeld) step = hash_ready_i;
    state_d = state_q;
    unique case (state_q)
      StSeed: if (step && index_q == 4'd3) state_d = StIdle;
      StHeld: if (step && index_q == last_held) state_d = StMessage;
      StParts: if (step && index_q == 4'd11) state_d = StMessage;
      StMessage: if (step && last_i) state_d = StIdle;
      default: ;
    endcase
    if (again_i) state_d = StHeld;
    if (start_i) state_d = op_i == OpKeygen ? StSeed : op_i == OpSign ? StHeld : StParts;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      again_q <= 1'b0;
      index_q <= '0;
    end else begin
      state_q <= state_d;
      again_q <= !start_i && (again_i || again_q);
      if (start_i || again_i) index_q <= '0;
      else if (step) index_q <= index_q + 4'd1;
    end
  end

  // Words of R and A beside those of the points of small order, whatever their signs. Twice, once
  // inverted: a bit that flips finds such a point and does not lose one.
  localparam int unsigned Orders = $bits(SmallOrders) / 256;
  logic [Orders-1:0] same, match, match_q, differ, differ_q;
  logic weak_q, proper_q, takes;
  assign takes = state_q == StParts && step && hashed;
  always_comb begin
    for (int unsigned i = 0; i < Orders; i++) begin
      same[i] = data_i[62:0] == SmallOrders[i][64*index_q[1:0]+:63] && (index_q[1:0] == 2'd3 || data_i[63] == SmallOrders[i][64*index_q[1:0]+63]);
    end
    match  = index_q[1:0] == 2'd0 ? same : match_q & same;
    differ = index_q[1:0] == 2'd0 ? ~same : differ_q | ~same;
  end
  always_ff @(posedge clk_i) begin
    if (takes) {match_q, differ_q} <= {match, differ};
    if (takes && index_q[1:0] == 2'd3) begin
      weak_q   <= weak_q || match != '0;
      proper_q <= proper_q && &differ;
    end
    if (start_i) {weak_q, proper_q} <= 2'b01;
    if (wipe_i) {match_q, differ_q, weak_q, proper_q} <= '0;
  end
  assign proper_o = !weak_q && proper_q;

  logic [63:0] word;
  assign word = wipe_i ? '0 : data_i;
  for (genvar i = 0; i < 12; i++) begin : gen_input
    always_ff @(posedge clk_i) begin
      if (wipe_i || (state_q == StParts && step && index_q == 4'(i))) inputs_q[i/4][64*(i%4)+:64] <= word;
    end
  end
endmodule

`default_nettype wire
