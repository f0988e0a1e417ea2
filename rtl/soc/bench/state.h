// SPDX-License-Identifier: Apache-2.0 OR MIT
// A hash of all that a model holds.
#pragma once
#include "held.h"

// Returns a hash of two words.
inline uint64_t mixed(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15) * (b ^ 0xd6e8feb86659fd93);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^ (b << 32 | b >> 32);
}

class Hashed final : public VerilatedSerialize {
 public:
  explicit Hashed(Vtop& top) {
    *this << top;
    flush();
  }
  void flush() override {
    const uint8_t* at = m_bufp;
    uint64_t word[2];
    for (; at + 16 <= m_cp; at += 16) {
      memcpy(word, at, 16);
      hash_ = mixed(hash_ ^ word[0], word[1] + ++words_);
    }
    word[0] = word[1] = 0;
    memcpy(word, at, m_cp - at);
    hash_ = mixed(hash_ ^ word[0], word[1] + ++words_);
    m_cp = m_bufp;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0, words_ = 0;
};
