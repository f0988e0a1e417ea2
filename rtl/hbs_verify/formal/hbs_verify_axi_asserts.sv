// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The stream of `hbs_verify_axi` keeps the rule of AXI-Stream while a verification runs. Words that
// a clearing leaves behind may be taken back.
`default_nettype none

bind hbs_verify_axi axis_asserts #(
    .BITS(33),
    .OURS(0)
) u_in_asserts (
    .clk_i,
    .rst_ni (core_n && running_q),
    .valid_i(s_axis_tvalid),
    .ready_i(s_axis_tready),
    .data_i ({s_axis_tdata, s_axis_tlast})
);

`default_nettype wire
