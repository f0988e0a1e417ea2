// SPDX-License-Identifier: Apache-2.0 OR MIT
// FIPS 202, section 4 (Sponge Construction), on whole bytes, over keccak_ref.h.
#pragma once
#include <cstring>
#include <vector>

#include "keccak_ref.h"

using Bytes = std::vector<uint8_t>;

inline Bytes sponge(unsigned lanes, uint8_t suffix, Bytes message, size_t length) {
  size_t rate = 8 * lanes;
  message.push_back(suffix);
  message.resize((message.size() + rate - 1) / rate * rate);
  message.back() |= 0x80;
  State a{};
  auto* bytes = reinterpret_cast<uint8_t*>(a.data());
  for (size_t at = 0; at < message.size(); at += rate) {
    for (size_t i = 0; i < rate; i++) bytes[i] ^= message[at + i];
    permute(a);
  }
  Bytes out;
  for (; out.size() < length; permute(a)) out.insert(out.end(), bytes, bytes + rate);
  out.resize(length);
  return out;
}
