// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keccak-p[1600, 24] as a loop of UNROLL rounds with N registers in it: N blocks are in flight,
// each takes 24 N / UNROLL cycles. The slots pass the entry in turn, one per cycle. UNROLL = 2,
// INNER = 1, OUTREG = 1 is the structure of the source: four blocks in 48 cycles.
`default_nettype none

module keccak_core
  import keccak_pkg::*;
#(
    parameter int unsigned UNROLL = 2,    // rounds in the loop: 1, 2, 3, 4 or 6
    parameter int unsigned INNER  = 1,    // register inside each round, see keccak_round
    parameter int unsigned OUTREG = 1,    // 1: register after each round; 0: after the last only
    // 0: the message is added behind the last round, result and next block pass the entry in the
    // same cycle. 1: it is added inside the last chi (needs INNER > 0); a new message needs a slot
    // that has been empty for one turn.
    parameter int unsigned ENTRY  = 0,
    parameter int unsigned RATE   = 1344  // bits of the state that msg_i reaches, at most 1600
) (
    input wire clk_i,
    input wire rst_ni,
    // Entry: about the slot that passes it in this cycle.
    output logic end_o,  // its block ends
    output logic [3:0] end_tag_o,
    output logic ready_o,  // a block may enter
    input wire valid_i,  // a block enters; only with ready_o
    input wire cont_i,  // it is added to the block that ends in this cycle; only with end_o
    input wire [3:0] tag_i,
    input wire [RATE-1:0] msg_i,  // zero in cycles without valid_i
    // Result: with ENTRY 0 in the cycle of end_o; with ENTRY 1 in the next, and with the message of
    // a block that continues already added.
    output logic valid_o,
    output logic [3:0] tag_o,
    output state_t state_o
);
  if (!(UNROLL inside {1, 2, 3, 4, 6})) begin : g_bad_unroll
    $error("UNROLL is 1, 2, 3, 4 or 6");
  end
  if (INNER > 3) begin : g_bad_inner
    $error("INNER is 0 to 3");
  end
  if (ENTRY > 1 || (ENTRY == 1 && INNER == 0)) begin : g_bad_entry
    $error("ENTRY is 0, or 1 with INNER above 0");
  end
  if (RATE > 1600) begin : g_bad_rate
    $error("RATE is at most the 1600 bits of the state");
  end

  localparam int unsigned Passes = Rounds / UNROLL;

  state_t in[UNROLL];
  ctl_t in_ctl[UNROLL];
  state_t out[UNROLL];
  ctl_t out_ctl[UNROLL];

  for (genvar r = 0; r < UNROLL; r++) begin : g_round
    keccak_round #(
        .UNROLL(UNROLL),
        .INDEX (r),
        .INNER (INNER),
        .CLEAR (ENTRY == 1 && r == UNROLL - 1)
    ) u_round (
        .clk_i,
        .rst_ni,
        .state_i(in[r]),
        .ctl_i  (in_ctl[r]),
        .state_o(out[r]),
        .ctl_o  (out_ctl[r])
    );
    if (r + 1 < UNROLL) begin : g_next
      if (OUTREG != 0) begin : g_reg
        always_ff @(posedge clk_i) begin
          in[r+1] <= out[r];
          in_ctl[r+1] <= out_ctl[r];
          if (!rst_ni) in_ctl[r+1].valid <= 1'b0;
        end
      end else begin : g_wire
        assign in[r+1] = out[r];
        assign in_ctl[r+1] = out_ctl[r];
      end
    end
  end

  // The last register of the loop, where blocks enter.
  ctl_t   last;
  state_t loop_q;
  ctl_t   loop_ctl_q;
  assign last = out_ctl[UNROLL-1];
  assign in[0] = loop_q;
  assign in_ctl[0] = loop_ctl_q;
  assign end_o = last.valid && last.pass == 5'(Passes - 1);
  assign end_tag_o = last.tag;

  always_ff @(posedge clk_i) begin
    loop_ctl_q.pass  <= valid_i ? '0 : last.pass + 5'd1;
    loop_ctl_q.tag   <= valid_i ? tag_i : last.tag;
    loop_ctl_q.valid <= rst_ni && (valid_i || (last.valid && !end_o));
  end

  if (ENTRY == 0) begin : g_gate
    logic keep;
    assign keep = !valid_i || cont_i;
    logic [1599:0] rounds, flat_q;
    assign rounds = out[UNROLL-1];
    assign loop_q = flat_q;
    always_ff @(posedge clk_i) flat_q[RATE-1:0] <= (rounds[RATE-1:0] & {RATE{keep}}) ^ msg_i;
    // The capacity has no message: there the gate is the flip-flop's synchronous reset.
    if (RATE < 1600) begin : g_capacity
      always_ff @(posedge clk_i) begin
        if (!keep) flat_q[1599:RATE] <= '0;
        else flat_q[1599:RATE] <= rounds[1599:RATE];
      end
    end
    assign ready_o = end_o || !last.valid;
    assign valid_o = end_o;
    assign tag_o   = last.tag;
    assign state_o = out[UNROLL-1];
  end else begin : g_chi
    always_ff @(posedge clk_i) loop_q <= out[UNROLL-1] ^ 1600'(msg_i);
    assign ready_o = cont_i ? end_o : !last.valid;
    always_ff @(posedge clk_i) begin
      valid_o <= rst_ni && end_o;
      tag_o   <= last.tag;
    end
    assign state_o = loop_q;
  end

endmodule

`default_nettype wire
