// SPDX-License-Identifier: Apache-2.0 OR MIT
// SHA-256 as FIPS 180-4 writes it, one word after the other: what the benches compare with.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ref {

using State = std::array<uint32_t, 8>;
using Block = std::array<uint32_t, 16>;
using Bytes = std::vector<uint8_t>;

constexpr State kInitial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
inline const std::array<uint32_t, 64>& constants() {
  static const std::array<uint32_t, 64> table = [] {
    std::array<uint32_t, 64> k{};
    unsigned count = 0;
    for (unsigned n = 2; count < 64; n++) {
      bool prime = true;
      for (unsigned d = 2; d * d <= n; d++) prime = prime && n % d != 0;
      if (!prime) continue;
      long double root = cbrtl(static_cast<long double>(n));
      k[count++] = static_cast<uint32_t>((root - floorl(root)) * 4294967296.0L);
    }
    return k;
  }();
  return table;
}

inline uint32_t rotr(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

inline State compress(const State& from, const Block& block) {
  uint32_t w[64];
  for (unsigned t = 0; t < 64; t++) {
    if (t < 16) {
      w[t] = block[t];
      continue;
    }
    uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  State s = from;
  for (unsigned t = 0; t < 64; t++) {
    uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants()[t] + w[t];
    uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (unsigned i = 0; i < 8; i++) s[i] += from[i];
  return s;
}

inline std::vector<Block> pad(Bytes message) {
  uint64_t bits = 8 * static_cast<uint64_t>(message.size());
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int i = 7; i >= 0; i--) message.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  std::vector<Block> blocks(message.size() / 64);
  for (size_t i = 0; i < message.size(); i++) blocks[i / 64][i % 64 / 4] |= static_cast<uint32_t>(message[i]) << (24 - 8 * (i % 4));
  return blocks;
}

inline Bytes bytes(const State& state, size_t n = 32) {
  Bytes out(n);
  for (size_t i = 0; i < n; i++) out[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

inline Bytes hash(const Bytes& message) {
  State state = kInitial;
  for (const Block& block : pad(message)) state = compress(state, block);
  return bytes(state);
}

}  // namespace ref
