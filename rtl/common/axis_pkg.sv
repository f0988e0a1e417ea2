// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// TKEEP of AXI-Stream and counts of bytes, for streams of up to 16 bytes. Kept bytes begin at byte
// 0 and have no gaps.
`default_nettype none

package axis_pkg;

  function automatic logic [4:0] bytes_of(input logic [15:0] keep);
    logic [4:0] n;
    n = '0;
    for (int unsigned i = 0; i < 16; i++) n = n + {4'd0, keep[i]};
    return n;
  endfunction

  function automatic logic [15:0] keep_of(input logic [4:0] bytes);
    logic [15:0] keep;
    for (int unsigned i = 0; i < 16; i++) keep[i] = 5'(i) < bytes;
    return keep;
  endfunction

endpackage

`default_nettype wire
