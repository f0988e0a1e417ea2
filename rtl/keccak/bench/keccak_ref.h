// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keccak-p[1600, 24] once more, from the text of FIPS 202 and in another form than the RTL: bit by bit where the standard is.
#pragma once
#include <array>
#include <cstdint>

using State = std::array<uint64_t, 25>;  // lane (x, y) at 5y + x

// FIPS 202, Algorithm 5.
inline bool rc_bit(unsigned t) {
  t %= 255;
  bool r[9] = {true};
  for (unsigned i = 0; i < t; i++) {
    for (int j = 8; j > 0; j--) r[j] = r[j - 1];
    r[0] = r[8];
    r[4] ^= r[8];
    r[5] ^= r[8];
    r[6] ^= r[8];
  }
  return r[0];
}

inline uint64_t round_constant(unsigned ir) {
  static const std::array<uint64_t, 24> table = [] {
    std::array<uint64_t, 24> k{};
    for (unsigned i = 0; i < 24; i++)
      for (unsigned j = 0; j <= 6; j++) k[i] |= static_cast<uint64_t>(rc_bit(j + 7 * i)) << ((1u << j) - 1);
    return k;
  }();
  return table[ir];
}

inline uint64_t rol(uint64_t a, unsigned n) { return n == 0 ? a : (a << n) | (a >> (64 - n)); }

inline void permute(State& a) {
  for (unsigned ir = 0; ir < 24; ir++) {
    uint64_t c[5];
    for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[5 + x] ^ a[10 + x] ^ a[15 + x] ^ a[20 + x];
    for (int i = 0; i < 25; i++) a[i] ^= c[(i + 4) % 5] ^ rol(c[(i + 1) % 5], 1);
    uint64_t current = a[1];  // rho and pi in one walk
    for (int t = 0, x = 1, y = 0; t < 24; t++) {
      int next = (2 * x + 3 * y) % 5;
      x = y;
      y = next;
      uint64_t held = a[5 * y + x];
      a[5 * y + x] = rol(current, static_cast<unsigned>((t + 1) * (t + 2) / 2 % 64));
      current = held;
    }
    for (int y = 0; y < 25; y += 5) {
      uint64_t row[5];
      for (int x = 0; x < 5; x++) row[x] = a[y + x];
      for (int x = 0; x < 5; x++) a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    a[0] ^= round_constant(ir);
  }
}
