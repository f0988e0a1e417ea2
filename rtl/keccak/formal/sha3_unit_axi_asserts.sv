// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The streams of `sha3_unit_axi` keep the rule of AXI-Stream; a clearing ends both.
`default_nettype none

bind sha3_unit_axi axis_asserts #(
    .BITS(149),
    .OURS(0)
) u_in_asserts (
    .clk_i,
    .rst_ni (kept_n),
    .valid_i(s_axis_tvalid),
    .ready_i(s_axis_tready),
    .data_i ({s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser})
);

bind sha3_unit_axi axis_asserts #(
    .BITS(147)
) u_out_asserts (
    .clk_i,
    .rst_ni (kept_n),
    .valid_i(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_i ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid})
);

`default_nettype wire
