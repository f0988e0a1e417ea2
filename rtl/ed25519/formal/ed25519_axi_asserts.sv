// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The streams of `ed25519_axi` keep the rule of AXI-Stream; a wiping ends both.
`default_nettype none

bind ed25519_axi axis_asserts #(
    .BITS(73),
    .OURS(0)
) u_in_asserts (
    .clk_i,
    .rst_ni (streams_n),
    .valid_i(s_axis_tvalid),
    .ready_i(s_axis_tready),
    .data_i ({s_axis_tdata, s_axis_tkeep, s_axis_tlast})
);

bind ed25519_axi axis_asserts #(
    .BITS(73)
) u_out_asserts (
    .clk_i,
    .rst_ni (streams_n),
    .valid_i(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_i ({m_axis_tdata, m_axis_tkeep, m_axis_tlast})
);

`default_nettype wire
