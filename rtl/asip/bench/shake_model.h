// SPDX-License-Identifier: Apache-2.0 OR MIT
// The instructions of the unit with SHAKE, over the reference code of Keccak, for a model of the processor's instructions.
#pragma once
#include "../../keccak/bench/sponge.h"
#include "unit_model.h"

struct ShakeUnit : UnitModel {
  enum Mode : uint32_t { kShakeN32, kShake256N24, kShake256N32 };
  enum Type : uint8_t { kF, kH, kMessage, kPrf, kKeygen };

  using UnitModel::UnitModel;

  bool execute(uint32_t which, uint32_t variant, uint32_t first, uint32_t second, uint32_t& result) override {
    result = 0;
    auto* words = reinterpret_cast<uint32_t*>(state.data());
    switch (which) {
      case kPut:
        if ((variant & 31) >= 25) return false;
        words[2 * (variant & 31)] = first;
        words[2 * (variant & 31) + 1] = second;
        return true;
      case kGo: permute(state); return true;
      case kGet:
        if ((variant & 63) >= 50) return false;
        result = words[variant & 63];
        return true;
      case kCfg: return cfg(variant, first, second) && mode <= kShake256N32;
      case kChain: return variant & 4 ? copy(first) : chain(variant & 1, first, second, variant & 2 ? target : first);
      case kHash: return hash(variant, first, second);
      case kNode: return variant & 1 ? node_row(first) : node(first, second);
      case kWait: return true;
    }
    return false;
  }

 private:
  State state{};
  Bytes seed;

  size_t n() const { return mode == kShake256N24 ? 24 : 32; }
  void seed_at(uint32_t at) override { seed = bytes(at, n()); }
  Bytes bytes(uint32_t at, size_t count) const { return Bytes(ram.begin() + at, ram.begin() + at + count); }
  bool write(uint32_t at, const Bytes& value) {
    std::copy(value.begin(), value.end(), ram.begin() + at);
    return true;
  }

  // RFC 8391, Section 5.1; SP 800-208, Section 5.4 for n = 24.
  Bytes hashed(Type type, const Bytes& key, const Bytes& text) const {
    Bytes message(n() == 24 ? 3 : 31);
    message.push_back(type);
    message.insert(message.end(), key.begin(), key.end());
    message.insert(message.end(), text.begin(), text.end());
    return sponge(mode == kShakeN32 ? 21 : 17, 0x1f, message, n());
  }
  Bytes prf(Bytes address, uint8_t part) const {
    std::fill(address.begin() + 28, address.end(), 0);
    address[31] = part;
    return hashed(kPrf, seed, address);
  }
  static Bytes sum(Bytes value, const Bytes& with) {
    for (size_t i = 0; i < value.size(); i++) value[i] ^= with[i];
    return value;
  }

  // By rows for n = 32 alone.
  bool chain(bool by_rows, uint32_t at, uint32_t head, uint32_t to) {
    Bytes value = bytes(at, n()), address = bytes(by_rows ? at : head, by_rows ? 0 : 32);
    for (uint32_t step = from; step < from + steps; step++) {
      const uint32_t given = rows + 64 * (row + step);
      if (!by_rows) {
        std::fill(address.begin() + 24, address.begin() + 27, 0);
        address[27] = uint8_t(step);
      }
      const Bytes key = by_rows ? bytes(given, 32) : prf(address, 0);
      value = hashed(kF, key, sum(value, by_rows ? bytes(given + 32, 32) : prf(address, 1)));
    }
    return write(to, value) && !(by_rows && n() == 24);
  }

  // PRF of a value, or PRF_keygen of two, by a KEY, all of them bytes.
  bool hash(uint32_t variant, uint32_t key, uint32_t values) {
    if (n() == 24 || (variant != 6 && variant != 5)) return false;
    const bool two = variant == 5;
    return write(target, hashed(two ? kKeygen : kPrf, bytes(key, 32), bytes(values, two ? 64 : 32)));
  }

  bool node(uint32_t pair, uint32_t row) {
    return n() == 32 && write(target, hashed(kH, bytes(row, 32), sum(bytes(pair, 64), bytes(row + 32, 64))));
  }

  bool node_row(uint32_t head) {
    const Bytes address = bytes(head, 32);
    for (uint8_t part = 0; part < 3; part++) write(target + 32 * part, prf(address, part));
    return n() == 32;
  }
};
