// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Occupancy and order of the pipeline of keccak_core: a block that enters ends exactly 24 N /
// UNROLL cycles later, under its own tag; nothing else ends; an entry is offered exactly where no
// block is on its way through, so no block is lost or overwritten. Reset may come at any time.
`default_nettype none

module pipeline_proof
  import keccak_pkg::*;
#(
    parameter int unsigned UNROLL = 2,
    parameter int unsigned INNER = 1,
    parameter int unsigned OUTREG = 1,
    parameter int unsigned ENTRY = 0,
    // 1: what each register of the pipeline holds is stated too, which makes the whole an invariant
    // (flow/induction.ys).
    parameter bit STATED = 1'b0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire valid_i,
    input wire cont_i,
    input wire [3:0] tag_i,
    output logic differs_o
);

  localparam int unsigned Slots = (INNER != 0 ? UNROLL : 0) + (OUTREG != 0 ? UNROLL : 1);
  localparam int unsigned Passes = Rounds / UNROLL;
  localparam int unsigned Cycles = Passes * Slots;

  logic ends, ready, enters, valid, cont;
  logic [3:0] end_tag, tag, out_tag;
  state_t state;
  assign cont   = cont_i && ends;
  assign enters = rst_ni && valid_i && ready;
  assign tag    = cont ? end_tag : tag_i;

  keccak_core #(
      .UNROLL(UNROLL),
      .INNER (INNER),
      .OUTREG(OUTREG),
      .ENTRY (ENTRY),
      .RATE  (1344)
  ) u_core (
      .clk_i,
      .rst_ni,
      .end_o    (ends),
      .end_tag_o(end_tag),
      .ready_o  (ready),
      .valid_i  (enters),
      .cont_i   (cont),
      .tag_i    (tag),
      .msg_i    ('0),
      .valid_o  (valid),
      .tag_o    (out_tag),
      .state_o  (state)
  );
  wire unused = &state;

  // When each block is due, and under which tag: one place for each cycle of its way.
  logic [Cycles-1:0] due_q;
  logic [Cycles-1:0][3:0] tag_q;
  always_ff @(posedge clk_i) begin
    due_q <= rst_ni ? {due_q[Cycles-2:0], enters} : '0;
    tag_q <= {tag_q[Cycles-2:0], tag};
  end
  logic due;
  logic [3:0] due_tag;
  assign due = due_q[Cycles-1];
  assign due_tag = tag_q[Cycles-1];

  // The slot that passes the entry is taken by a block that entered a multiple of Slots cycles ago.
  logic taken;
  always_comb begin
    taken = 1'b0;
    for (int unsigned i = Slots - 1; i < Cycles - 1; i += Slots) taken = taken | due_q[i];
  end

  // Results: with ENTRY 0 at the end, with ENTRY 1 in the cycle after it, where only a message that
  // goes on may enter at the end.
  logic wrong_end, wrong_entry, wrong_result;
  assign wrong_end = ends != due || (ends && end_tag != due_tag);
  if (ENTRY == 0) begin : g_gate
    assign wrong_entry  = ready == taken;
    assign wrong_result = valid != due || (valid && out_tag != due_tag);
  end else begin : g_chi
    logic last_q;
    logic [3:0] last_tag_q;
    always_ff @(posedge clk_i) begin
      last_q <= rst_ni && due;
      last_tag_q <= due_tag;
    end
    assign wrong_entry  = ready != (cont ? due : !taken && !due);
    assign wrong_result = valid != last_q || (valid && out_tag != last_tag_q);
  end

  // Register i holds a block exactly if one entered i + 1 cycles ago, or whole turns before that;
  // then its pass and tag are that block's.
  logic [Slots-1:0] wrong_slot;
  for (genvar i = 0; i < Slots; i++) begin : g_slot
    localparam int unsigned PerRound = Slots > UNROLL && OUTREG != 0 ? 2 : 1;
    localparam bit Inside = INNER != 0 && (OUTREG != 0 ? i % 2 == 1 : i > 0);
    ctl_t held;
    if (Inside) begin : g_inside
      assign held = u_core.out_ctl[OUTREG!=0?i/2 : i-1];
    end else begin : g_between
      assign held = u_core.in_ctl[i/PerRound];
    end
    logic [Passes-1:0] here, fits;
    for (genvar p = 0; p < Passes; p++) begin : g_pass
      assign here[p] = due_q[i+p*Slots];
      assign fits[p] = held.pass == 5'(p) && held.tag == tag_q[i+p*Slots];
    end
    assign wrong_slot[i] = held.valid != (here != '0) || (here & (here - 1'b1)) != '0 || (here & ~fits) != '0;
  end

  assign differs_o = wrong_end || wrong_entry || wrong_result || (STATED && wrong_slot != '0);

endmodule

`default_nettype wire
