// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The input stream of one operation: keys into registers, hashed parts and messages on to the hash
// units.
//
// Words in order: keygen seed; sign s, A, prefix, M and later M again; verify R, A, S, M. In the
// second pass of signing R, which the core has computed, and A go to the hash unit before M. A
// message ends with `last_i`.
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
    input wire [255:0] point_i,
    input wire valid_i,
    output logic ready_o,
    input wire [63:0] data_i,
    input wire [3:0] bytes_i,
    input wire last_i,
    output logic [255:0] inputs_o[3],
    output logic loaded_o,
    // Words for the hash unit, and whether they belong to the message.
    output logic hash_valid_o,
    input wire hash_ready_i,
    output logic [63:0] hash_data_o,
    output logic [3:0] hash_bytes_o,
    output logic hash_last_o,
    output logic hash_message_o
);
  typedef enum logic [1:0] {
    StIdle,
    StKey,
    StAgain,
    StMessage
  } state_e;

  state_e state_q, state_d;
  logic [  3:0] index_q;
  logic [255:0] inputs_q[3];
  logic hashed, step, seed_end;

  always_comb begin
    unique case (op_i)
      OpKeygen: hashed = 1'b1;
      OpSign:   hashed = index_q[3];
      default:  hashed = !index_q[3];
    endcase
  end

  assign inputs_o = inputs_q;
  assign loaded_o = state_q == StMessage || state_q == StIdle;
  assign seed_end = op_i == OpKeygen && index_q == 4'd3;

  assign ready_o = (state_q == StKey && (!hashed || hash_ready_i)) || (state_q == StMessage && hash_ready_i);
  assign hash_valid_o = (valid_i && ((state_q == StKey && hashed) || state_q == StMessage)) || state_q == StAgain;
  assign hash_message_o = state_q == StMessage;
  assign hash_bytes_o = hash_message_o && last_i ? bytes_i : 4'd8;
  assign hash_last_o = hash_message_o ? last_i : state_q == StKey && seed_end;
  always_comb begin
    hash_data_o = data_i;
    if (state_q == StAgain) hash_data_o = index_q[2] ? inputs_q[1][64*index_q[1:0]+:64] : point_i[64*index_q[1:0]+:64];
  end

  assign step = state_q == StAgain ? hash_ready_i : valid_i && ready_o;
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StKey:
      if (step && seed_end) state_d = StIdle;
      else if (step && index_q == 4'd11) state_d = StMessage;
      StAgain: if (step && index_q == 4'd7) state_d = StMessage;
      StMessage: if (step && last_i) state_d = StIdle;
      default: ;
    endcase
    if (start_i) state_d = StKey;
    else if (again_i) state_d = StAgain;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= '0;
    end else begin
      state_q <= state_d;
      if (start_i || again_i) index_q <= '0;
      else if (step) index_q <= index_q + 4'd1;
    end
  end

  logic [63:0] word;
  assign word = wipe_i ? '0 : data_i;
  for (genvar i = 0; i < 12; i++) begin : gen_input
    always_ff @(posedge clk_i) begin
      if (wipe_i || (state_q == StKey && step && index_q == 4'(i))) inputs_q[i/4][64*(i%4)+:64] <= word;
    end
  end
endmodule

`default_nettype wire
