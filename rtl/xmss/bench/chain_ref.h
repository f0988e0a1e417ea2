// SPDX-License-Identifier: Apache-2.0 OR MIT
// Chains, keys and masks as RFC 8391, RFC 8554 and SP 800-208 write them, over whole messages: what the benches compare with.
#pragma once
#include "../../sha256/bench/sha256_ref.h"

namespace ref {

using Address = State;

inline void append(Bytes& to, const Bytes& more) { to.insert(to.end(), more.begin(), more.end()); }

inline Bytes number(uint64_t value, unsigned width) {
  Bytes out(width);
  for (unsigned i = 0; i < width && i < 8; i++) out[width - 1 - i] = static_cast<uint8_t>(value >> (8 * i));
  return out;
}

// toByte(function, 32 or 4), key, message; cut to n bytes.
inline Bytes keyed(unsigned function, unsigned n, const Bytes& key, const Bytes& message) {
  Bytes all = number(function, n == 24 ? 4 : 32);
  append(all, key);
  append(all, message);
  Bytes digest = hash(all);
  digest.resize(n);
  return digest;
}

inline Bytes prf(unsigned n, const Bytes& seed, Address address, unsigned part) {
  address[7] = part;
  return keyed(3, n, seed, bytes(address));
}

inline Bytes mask(const Bytes& value, const Bytes& with) {
  Bytes out = value;
  for (size_t i = 0; i < out.size(); i++) out[i] ^= with[i];
  return out;
}

// RFC 8391, Algorithm 2 (chain).
inline Bytes xmss_chain(unsigned n, Bytes value, unsigned from, unsigned steps, const Bytes& seed, Address address) {
  for (unsigned step = from; step < from + steps; step++) {
    address[6] = step;
    value = keyed(0, n, prf(n, seed, address, 0), mask(value, prf(n, seed, address, 1)));
  }
  return value;
}

// RFC 8554, Section 4.3 (Private Key): the loop over tmp. `prefix` is I, q, i.
inline Bytes lms_chain(unsigned n, Bytes value, unsigned from, unsigned steps, const Bytes& prefix) {
  for (unsigned step = from; step < from + steps; step++) {
    Bytes all = prefix;
    append(all, number(step, 1));
    append(all, value);
    value = hash(all);
    value.resize(n);
  }
  return value;
}

inline State words(const Bytes& from) {
  State out{};
  for (size_t i = 0; i < from.size() && i < 32; i++) out[i / 4] |= static_cast<uint32_t>(from[i]) << (24 - 8 * (i % 4));
  return out;
}

// The state after toByte(function, 32) and 32 bytes.
inline State after(unsigned function, const Bytes& key) {
  Bytes all = number(function, 32);
  append(all, key);
  return compress(kInitial, pad(all)[0]);
}

}  // namespace ref
