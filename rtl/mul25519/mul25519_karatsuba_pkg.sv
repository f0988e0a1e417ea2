// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// How Karatsuba's method splits a product of 256-bit numbers, LEVELS times in two: 3^LEVELS shorter
// products, the leaves.
//
// A leaf has a digit per level: 0, the product of the low halves; 2, of the high halves; 1, of the
// sums of both. With h the half in bits, low (1 - 2^h) + high (2^2h - 2^h) + sum 2^h is the
// product, so a leaf is added or taken off in up to 2^LEVELS terms, each a bit per level: 0 for the
// first summand of that, 1 for the second.
`default_nettype none

package mul25519_karatsuba_pkg;
  localparam int unsigned MaxLeaves = 9;
  localparam int unsigned MaxTerms = 4;
  typedef logic [MaxLeaves*MaxTerms-1:0][7:0] places_t;

  function automatic int unsigned leaf_count(int unsigned levels);
    return 3 ** levels;
  endfunction
  // Bits of the shortest parts.
  function automatic int unsigned part_bits(int unsigned levels);
    return 256 >> levels;
  endfunction
  function automatic int unsigned digit(int unsigned leaf, int unsigned level);
    return (leaf / (3 ** level)) % 3;
  endfunction
  // The leaf's factors are sums of the parts for which this is so.
  function automatic bit has_part(int unsigned leaf, int unsigned part, int unsigned levels);
    for (int unsigned l = 0; l < levels; l++) begin
      if (digit(leaf, l) == 2 * (1 - ((part >> l) & 1))) return 1'b0;
    end
    return 1'b1;
  endfunction
  // Bits of the leaf's factors.
  function automatic int unsigned leaf_bits(int unsigned leaf, int unsigned levels);
    int unsigned bits = part_bits(levels);
    for (int unsigned l = 0; l < levels; l++) bits += int'(digit(leaf, l) == 1);
    return bits;
  endfunction
  function automatic bit has_term(int unsigned leaf, int unsigned term, int unsigned levels);
    for (int unsigned l = 0; l < levels; l++) begin
      if (digit(leaf, l) == 1 && ((term >> l) & 1) == 1) return 1'b0;
    end
    return 1'b1;
  endfunction
  // Taken off, not added.
  function automatic bit taken(int unsigned term);
    return ^term;
  endfunction
  // In parts.
  function automatic int unsigned shift(int unsigned leaf, int unsigned term, int unsigned levels);
    int unsigned parts = 0;
    for (int unsigned l = 0; l < levels; l++) begin
      parts += (((term >> l) & 1) == 1 ? 1 : digit(leaf, l)) << l;
    end
    return parts;
  endfunction
  // Rows that all terms fit into without two in the same bits, and the row of each: the first free
  // one, from low bits to high.
  function automatic int unsigned row_count(int unsigned levels);
    return levels == 1 ? 4 : 14;
  endfunction
  function automatic places_t places(int unsigned levels);
    places_t found = '0;
    logic [15:0][15:0] ends = '0;
    for (int unsigned s = 0; s < 7; s++) begin
      for (int unsigned i = 0; i < leaf_count(levels) * MaxTerms; i++) begin
        if (i % MaxTerms < 2 ** levels && has_term(
                i / MaxTerms, i % MaxTerms, levels
            ) && shift(
                i / MaxTerms, i % MaxTerms, levels
            ) == s) begin
          int unsigned row = 0;
          while (int'(ends[row]) > s * part_bits(levels)) row++;
          found[i]  = 8'(row);
          ends[row] = 16'(s * part_bits(levels) + 2 * leaf_bits(i / MaxTerms, levels));
        end
      end
    end
    return found;
  endfunction
  // Returns the sum that the complements in place of negative terms, two rows each, leave to add.
  function automatic logic [512:0] correction(int unsigned levels);
    logic [512:0] sum = '0;
    for (int unsigned i = 0; i < leaf_count(levels) * MaxTerms; i++) begin
      if (i % MaxTerms < 2 ** levels && has_term(i / MaxTerms, i % MaxTerms, levels) && taken(i % MaxTerms)) begin
        int unsigned low = shift(i / MaxTerms, i % MaxTerms, levels) * part_bits(levels);
        sum += (513'(2) << low) - (513'(2) << (low + 2 * leaf_bits(i / MaxTerms, levels)));
      end
    end
    return sum;
  endfunction
endpackage

`default_nettype wire
