// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-3 unit: four messages at once (one per tag) on one keccak_core. Each tag has a state
// register, so that a message which waits for input, or whose output waits to be taken, holds up
// nobody else.
`default_nettype none

module sha3_unit
  import sha3_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER  = 1,
    parameter int unsigned OUTREG = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire cmd_valid_i,
    output logic cmd_ready_o,
    input wire cmd_t cmd_i,
    input wire in_valid_i,
    output logic in_ready_o,
    input wire beat_t in_i,
    output logic out_valid_o,
    input wire out_ready_i,
    output out_t out_o
);

  typedef enum logic [2:0] {
    Idle,
    Absorb,   // takes message blocks
    Squeeze,  // the last block has entered; output follows
    Pause,    // the last block has entered; the state is kept
    Load,     // takes a state
    Value,    // takes the value of a chain
    Chain     // steps of a chain
  } phase_e;

  // Everything about a tag.
  phase_e phase_q[Tags];
  logic [4:0] rate_q[Tags];
  logic [7:0] suffix_q[Tags];
  logic [31:0] left_q[Tags];  // bytes of output not yet handed to the output register
  logic [15:0] steps_q[Tags];
  logic [31:0] counter_q[Tags];
  logic [2:0] lanes_q[Tags];
  logic [255:0] tweak_q[Tags];
  logic [Tags-1:0] zero_q;  // the message starts from the zero state
  logic [Tags-1:0] run_q;  // a permutation is on its way
  logic [Tags-1:0] pend_q;  // the state holds output that is not handed on yet
  logic [Tags-1:0] again_q;  // a squeezing permutation is to start from the state register
  logic [1599:0] state_q[Tags];
  logic [255:0] prefix_q;

  // ---------------------------------------------------------------- message in
  logic block_valid, block_ready, open;
  tag_t block_tag;
  end_e block_end;
  logic [1599:0] block;
  logic [4:0] in_rate;
  phase_e in_phase;
  assign in_phase = phase_q[in_i.tag];
  assign open = in_phase == Absorb || in_phase == Load || in_phase == Value;
  assign in_rate = in_phase == Load ? 5'd25 : in_phase == Value ? 5'(lanes_q[in_i.tag]) : rate_q[in_i.tag];

  sha3_assembler u_assembler (
      .clk_i,
      .rst_ni,
      .valid_i (in_valid_i),
      .ready_o (in_ready_o),
      .beat_i  (in_i),
      .rate_i  (in_rate),
      .suffix_i(suffix_q[in_i.tag]),
      .open_i  (open),
      .once_i  (in_phase != Absorb),
      .valid_o (block_valid),
      .ready_i (block_ready),
      .tag_o   (block_tag),
      .ending_o(block_end),
      .block_o (block)
  );

  // ---------------------------------------------------------------- the core
  logic ends, core_ready, enter, cont;
  logic [3:0] end_tag4, out_tag4;
  logic core_valid;
  tag_t end_tag, enter_tag;
  logic [1599:0] result, message;
  assign end_tag = end_tag4[1:0];

  keccak_core #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG),
      .ENTRY (0),
      .RATE  (1600)
  ) u_core (
      .clk_i,
      .rst_ni,
      .end_o    (ends),
      .end_tag_o(end_tag4),
      .ready_o  (core_ready),
      .valid_i  (enter),
      .cont_i   (cont),
      .tag_i    ({2'b00, enter_tag}),
      .msg_i    (message),
      .valid_o  (core_valid),
      .tag_o    (out_tag4),
      .state_o  (result)
  );
  wire unused = &{core_valid, out_tag4, end_tag4[3:2]};

  // ---------------------------------------------------------------- what enters A block that ends
  // may be continued at once: by the next block of its message, or by itself if more output is
  // wanted.
  logic [31:0] block_bytes;
  logic more, absorbs_on, squeezes_on;
  assign block_bytes = {24'd0, rate_q[end_tag], 3'b000};
  assign more = left_q[end_tag] > block_bytes;
  assign absorbs_on = ends && block_valid && block_tag == end_tag && phase_q[end_tag] == Absorb;
  assign squeezes_on = ends && phase_q[end_tag] == Squeeze && more && !pend_q[end_tag];

  // Otherwise the slot goes to whoever waits: a block, a squeezing permutation, a step of a chain.
  logic [Tags-1:0] waits;
  logic starts_block, starts_waiting;
  tag_t waiting;
  always_comb begin
    waiting = '0;
    for (int unsigned t = 0; t < Tags; t++) begin
      waits[t] = (again_q[t] && !pend_q[t]) || (phase_q[t] == Chain && !run_q[t] && steps_q[t] != 16'd0);
      if (waits[t]) waiting = tag_t'(t);
    end
  end
  assign starts_block   = core_ready && !absorbs_on && !squeezes_on && block_valid && phase_q[block_tag] == Absorb && !run_q[block_tag];
  assign starts_waiting = core_ready && !absorbs_on && !squeezes_on && !starts_block && waits != '0;

  logic [1599:0] held, step;
  assign held = state_q[starts_waiting?waiting : block_tag];
  sha3_chain u_chain (
      .lanes_i  (lanes_q[waiting]),
      .rate_i   (rate_q[waiting]),
      .suffix_i (suffix_q[waiting]),
      .counter_i(counter_q[waiting]),
      .prefix_i (prefix_q),
      .tweak_i  (tweak_q[waiting]),
      .value_i  (held[255:0]),
      .block_o  (step)
  );

  assign enter = absorbs_on || squeezes_on || starts_block || starts_waiting;
  assign cont = absorbs_on || squeezes_on;
  assign enter_tag = cont ? end_tag : starts_block ? block_tag : waiting;
  always_comb begin
    message = '0;
    if (absorbs_on || starts_block) message = block;
    if (starts_block && !zero_q[block_tag]) message = message ^ held;
    if (starts_waiting) message = phase_q[waiting] == Chain ? step : held;
  end

  // A state or the value of a chain goes into the state register; it never enters the core.
  logic stores;
  assign stores = block_valid && (phase_q[block_tag] == Load || phase_q[block_tag] == Value);
  assign block_ready = absorbs_on || starts_block || stores;

  // ---------------------------------------------------------------- output
  logic give, give_ready, give_last;
  tag_t give_tag;
  logic [31:0] give_room;
  always_comb begin
    give_tag = '0;
    for (int unsigned t = 0; t < Tags; t++) if (pend_q[t]) give_tag = tag_t'(t);
  end
  assign give = pend_q != '0;
  assign give_room = {24'd0, rate_q[give_tag], 3'b000};
  assign give_last = left_q[give_tag] <= give_room;

  sha3_output u_output (
      .clk_i,
      .rst_ni,
      .valid_i(give),
      .ready_o(give_ready),
      .tag_i  (give_tag),
      .last_i (give_last),
      .bytes_i(give_last ? left_q[give_tag][7:0] : give_room[7:0]),
      .state_i(state_q[give_tag]),
      .valid_o(out_valid_o),
      .ready_i(out_ready_i),
      .beat_o (out_o)
  );

  // ---------------------------------------------------------------- what becomes of a tag
  assign cmd_ready_o = phase_q[cmd_i.tag] == Idle;

  always_ff @(posedge clk_i) begin
    if (cmd_valid_i && cmd_ready_o) begin
      rate_q[cmd_i.tag] <= cmd_i.op == OpSave ? 5'd25 : cmd_i.rate;
      suffix_q[cmd_i.tag] <= cmd_i.suffix;
      left_q[cmd_i.tag] <= cmd_i.op == OpSave ? 32'd200 : cmd_i.op == OpChain ? {26'd0, cmd_i.lanes, 3'b000} : cmd_i.length;
      steps_q[cmd_i.tag] <= cmd_i.steps;
      counter_q[cmd_i.tag] <= cmd_i.counter;
      lanes_q[cmd_i.tag] <= cmd_i.lanes;
      if (cmd_i.op == OpChain) tweak_q[cmd_i.tag] <= cmd_i.data;
      if (cmd_i.op == OpPrefix) prefix_q <= cmd_i.data;
      zero_q[cmd_i.tag] <= cmd_i.op == OpHash;
      pend_q[cmd_i.tag] <= cmd_i.op == OpSave;
      unique case (cmd_i.op)
        OpHash, OpResume: phase_q[cmd_i.tag] <= Absorb;
        OpLoad: phase_q[cmd_i.tag] <= Load;
        OpSave: phase_q[cmd_i.tag] <= Squeeze;
        OpChain: phase_q[cmd_i.tag] <= Value;
        default: phase_q[cmd_i.tag] <= Idle;
      endcase
    end

    // Output handed on: the last of it frees the tag.
    if (give && give_ready) begin
      pend_q[give_tag] <= 1'b0;
      left_q[give_tag] <= give_last ? 32'd0 : left_q[give_tag] - give_room;
      if (give_last) phase_q[give_tag] <= Idle;
    end

    // A permutation ends. A squeezed state is dropped, and computed again later, while the one
    // before waits to be handed on.
    if (ends) begin
      run_q[end_tag] <= cont;
      unique case (phase_q[end_tag])
        Squeeze: begin
          if (pend_q[end_tag]) again_q[end_tag] <= 1'b1;
          else begin
            state_q[end_tag] <= result;
            pend_q[end_tag]  <= 1'b1;
          end
        end
        Pause: begin
          state_q[end_tag] <= result;
          phase_q[end_tag] <= Idle;
        end
        Chain: begin
          state_q[end_tag] <= result;
          if (steps_q[end_tag] == 16'd0) begin
            pend_q[end_tag]  <= 1'b1;
            phase_q[end_tag] <= Squeeze;
          end
        end
        default: state_q[end_tag] <= result;
      endcase
    end

    if (enter) begin
      run_q[enter_tag] <= 1'b1;
      if (absorbs_on || starts_block) begin
        zero_q[enter_tag] <= 1'b0;
        if (block_end == EndPad) phase_q[enter_tag] <= Squeeze;
        if (block_end == EndPause) phase_q[enter_tag] <= Pause;
      end
      if (starts_waiting) begin
        again_q[enter_tag] <= 1'b0;
        if (phase_q[enter_tag] == Chain) begin
          steps_q[enter_tag]   <= steps_q[enter_tag] - 16'd1;
          counter_q[enter_tag] <= counter_q[enter_tag] + 32'd1;
        end
      end
    end

    if (stores) begin
      state_q[block_tag] <= block;
      if (phase_q[block_tag] == Load) phase_q[block_tag] <= Idle;
      else if (steps_q[block_tag] != 16'd0) phase_q[block_tag] <= Chain;
      else begin
        pend_q[block_tag]  <= 1'b1;
        phase_q[block_tag] <= Squeeze;
      end
    end

    if (!rst_ni) begin
      for (int unsigned t = 0; t < Tags; t++) phase_q[t] <= Idle;
      zero_q  <= '0;
      run_q   <= '0;
      pend_q  <= '0;
      again_q <= '0;
    end
  end

endmodule

`default_nettype wire
