// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Where the multiplier has its pipeline registers: LATENCY - 1 of these cuts, in the order of the
// data.
`default_nettype none

package mul25519_cuts_pkg;
  typedef struct packed {
    logic entry;  // behind the factors
    logic tiles;
    logic tree0;  // ten rows
    logic tree1;  // four rows
    logic tree2;  // two rows
    logic half;  // in the middle of the fold
    logic fold;
    logic estimate;
  } cuts_t;

  function automatic cuts_t cuts(int unsigned latency);
    return
    '{
        entry: latency >= 8,
        tiles: latency >= 4,
        tree0: latency >= 6,
        tree1: latency >= 7,
        tree2: latency >= 3,
        half: latency == 2,
        fold: latency >= 5,
        estimate: latency >= 3
    }
    ;
  endfunction

  // Registers in front of the fold.
  function automatic int unsigned before_fold(cuts_t c);
    return $countones(c) - int'(c.half) - int'(c.fold) - int'(c.estimate);
  endfunction
endpackage

`default_nettype wire
