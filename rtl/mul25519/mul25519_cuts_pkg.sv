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

  // Tiles, with Karatsuba's method or without.
  function automatic cuts_t tile_cuts(int unsigned latency);
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

  // Booth's method: its rows are as fast as the last stages, so registers come first where they are
  // few.
  function automatic cuts_t booth_cuts(int unsigned latency);
    return
    '{
        entry: latency >= 5,
        tiles: 1'b0,
        tree0: latency >= 8,
        tree1: latency >= 7,
        tree2: latency >= 3,
        half: latency >= 6,
        fold: latency == 2 || latency >= 4,
        estimate: latency >= 3
    }
    ;
  endfunction

  function automatic cuts_t cuts(int unsigned latency, bit booth);
    return booth ? booth_cuts(latency) : tile_cuts(latency);
  endfunction

  // Registers in front of the fold.
  function automatic int unsigned before_fold(cuts_t c);
    return $countones(c) - int'(c.half) - int'(c.fold) - int'(c.estimate);
  endfunction
endpackage

`default_nettype wire
