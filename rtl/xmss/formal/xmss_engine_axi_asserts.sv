// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The streams of `xmss_engine_axi` keep the rule of AXI-Stream.
`default_nettype none

bind xmss_engine_axi axis_asserts #(
    .BITS(65),
    .OURS(0)
) u_key_asserts (
    .clk_i,
    .rst_ni (rst_ni),
    .valid_i(s_axis_key_tvalid),
    .ready_i(s_axis_key_tready),
    .data_i ({s_axis_key_tdata, s_axis_key_tlast})
);

bind xmss_engine_axi axis_asserts #(
    .BITS(65),
    .OURS(0)
) u_in_asserts (
    .clk_i,
    .rst_ni (rst_ni),
    .valid_i(s_axis_tvalid),
    .ready_i(s_axis_tready),
    .data_i ({s_axis_tdata, s_axis_tlast})
);

bind xmss_engine_axi axis_asserts #(
    .BITS(65 + $bits(m_axis_tid))
) u_out_asserts (
    .clk_i,
    .rst_ni (rst_ni),
    .valid_i(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_i ({m_axis_tdata, m_axis_tid, m_axis_tlast})
);

`default_nettype wire
