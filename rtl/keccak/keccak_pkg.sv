// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types and step mappings of Keccak-p[1600, 24] (FIPS 202, section 3 (KECCAK-p Permutations)).
// Every constant is computed from the standard's rule, none is typed.
`default_nettype none

package keccak_pkg;

  typedef logic [63:0] lane_t;
  typedef lane_t [4:0] plane_t;  // [x]
  // [y][x]; lane (x, y) is bits 64(5y + x) and up, as the standard numbers them
  typedef plane_t [4:0] state_t;

  localparam int unsigned Rounds = 24;

  // State that travels with a block through the pipeline.
  typedef struct packed {
    logic valid;
    logic [4:0] pass;  // how many times the block has gone round the loop
    logic [3:0] tag;
  } ctl_t;

  typedef logic [4:0][4:0][5:0] offsets_t;
  typedef logic [Rounds-1:0][6:0] constants_t;

  // FIPS 202, Algorithm 2 (rho): the offset of step t is (t + 1)(t + 2) / 2, along the walk (x, y)
  // := (y, 2x + 3y).
  function automatic offsets_t rho_offsets();
    offsets_t o;
    int unsigned x, y, next;
    o = '0;
    x = 1;
    y = 0;
    for (int unsigned t = 0; t < 24; t++) begin
      o[y][x] = 6'((t + 1) * (t + 2) / 2);
      next = (2 * x + 3 * y) % 5;
      x = y;
      y = next;
    end
    return o;
  endfunction

  // FIPS 202, Algorithm 5 (rc) and Algorithm 6 (iota): only bits 2^j - 1 of a round constant can be
  // set, seven in all.
  function automatic constants_t iota_constants();
    constants_t k;
    logic [7:0] r;
    k = '0;
    r = 8'h01;
    for (int unsigned t = 0; t < 7 * Rounds; t++) begin
      k[t/7][t%7] = r[0];
      r = {r[6:0], 1'b0} ^ (r[7] ? 8'h71 : 8'h00);
    end
    return k;
  endfunction

  localparam offsets_t RhoOffsets = rho_offsets();
  localparam constants_t IotaConstants = iota_constants();

  function automatic lane_t rotl(input lane_t a, input logic [5:0] n);
    return (a << n) | (a >> (7'd64 - {1'b0, n}));
  endfunction

  // theta, first step: the parity of each column.
  function automatic plane_t theta1(input state_t a);
    return a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4];
  endfunction

  // theta, second step: what is added to every lane of sheet x.
  function automatic plane_t theta2(input plane_t c);
    plane_t d;
    for (int x = 0; x < 5; x++) d[x] = c[(x+4)%5] ^ rotl(c[(x+1)%5], 6'd1);
    return d;
  endfunction

  // theta, third step, on the planes chosen by `planes` only.
  function automatic state_t theta3(input state_t a, input plane_t d, input logic [4:0] planes);
    state_t t;
    for (int y = 0; y < 5; y++) t[y] = planes[y] ? a[y] ^ d : a[y];
    return t;
  endfunction

  function automatic state_t rho_pi(input state_t a);
    state_t b;
    for (int y = 0; y < 5; y++) for (int x = 0; x < 5; x++) b[(2*x+3*y)%5][y] = rotl(a[y][x], RhoOffsets[y][x]);
    return b;
  endfunction

  // The inverse of rho and pi.
  function automatic state_t rho_pi_back(input state_t b);
    state_t a;
    for (int y = 0; y < 5; y++) for (int x = 0; x < 5; x++) a[y][x] = rotl(b[(2*x+3*y)%5][y], -RhoOffsets[y][x]);
    return a;
  endfunction

  // chi; where `on` is 0, the state as it is.
  function automatic state_t chi(input state_t b, input logic on);
    state_t a;
    for (int y = 0; y < 5; y++) for (int x = 0; x < 5; x++) a[y][x] = b[y][x] ^ (~b[y][(x+1)%5] & b[y][(x+2)%5] & {64{on}});
    return a;
  endfunction

  // Seven bits spread over the lane that iota changes.
  function automatic lane_t spread(input logic [6:0] k);
    lane_t l;
    l = '0;
    for (int j = 0; j < 7; j++) l[(1<<j)-1] = k[j];
    return l;
  endfunction

endpackage

`default_nettype wire
