// SPDX-License-Identifier: Apache-2.0 OR MIT
// The instructions of the unit as rtl/asip/README.md has them, for a model of the processor's instructions: each is done at once. Programs
// read what a job writes when they have waited for it.
#pragma once
#include <cstring>

#include "../../sha256/bench/sha256_ref.h"

// The parts of the unit's instructions that do not depend on the hash.
struct UnitModel {
  enum Which : uint32_t { kPut, kGo, kGet, kCfg, kChain, kHash, kNode, kWait };

  explicit UnitModel(std::vector<uint8_t>& ram) : ram(ram) {}
  virtual ~UnitModel() = default;

  // Does an instruction. Sets `result` where it writes a register. Returns false if it is none that is known here.
  virtual bool execute(uint32_t which, uint32_t variant, uint32_t first, uint32_t second, uint32_t& result) = 0;

 protected:
  std::vector<uint8_t>& ram;
  uint32_t mode = 0, rows = 0, from = 0, steps = 0, row = 0, target = 0;

  // Sets a register; the seed is read by `seed_at`.
  bool cfg(uint32_t variant, uint32_t first, uint32_t second) {
    if (variant == 0) {
      mode = first & 3;
      seed_at(second);
      return true;
    }
    if (variant == 1) rows = first;
    if (variant == 2) {
      from = first & 255, steps = first >> 8 & 255, row = first >> 16 & 1023;
      target = second;
    }
    return variant < 3;
  }
  virtual void seed_at(uint32_t at) = 0;

  bool copy(uint32_t at) {
    std::copy_n(ram.begin() + at, mode & 1 ? 24 : 32, ram.begin() + target);
    return true;
  }
};

// The unit with SHA-256.
struct Unit : UnitModel {
  enum Mode : uint32_t { kXmssN32, kXmssN24, kLmsN32, kLmsN24 };

  using UnitModel::UnitModel;

  bool execute(uint32_t which, uint32_t variant, uint32_t first, uint32_t second, uint32_t& result) override {
    result = 0;
    switch (which) {
      case kPut: put(variant, first, second); break;
      case kGo: go(variant); break;
      case kGet: result = turned(digest[variant & 7], variant); break;
      case kCfg: return cfg(variant, first, second);
      case kChain: {
        if (variant & 4) return copy(first);
        const uint32_t to = variant & 2 ? target : first;
        if (mode == kXmssN24) return short_chain(variant, first, second, to);
        return mode == kXmssN32 ? chain(variant, first, second, to) : lms_chain(first, second, to);
      }
      case kHash: hash(variant, first, second); break;
      case kNode: variant & 1 ? node_row(first) : node(first, second); break;
      case kWait: break;
    }
    return true;
  }

 private:
  // The generic stage.
  uint32_t pairs[24] = {};  // words of the state, and from the eighth on of the block
  ref::State digest{};
  // The refined one.
  ref::State seed{};

  static uint32_t turned(uint32_t word, uint32_t variant) { return variant & 64 ? __builtin_bswap32(word) : word; }

  void put(uint32_t variant, uint32_t first, uint32_t second) {
    uint32_t pair = variant & 15;
    if (pair >= 12) return;
    pairs[2 * pair] = turned(first, variant);
    pairs[2 * pair + 1] = turned(second, variant);
  }

  void go(uint32_t variant) {
    ref::State state;
    ref::Block block;
    memcpy(state.data(), pairs, sizeof state);
    memcpy(block.data(), pairs + 8, sizeof block);
    digest = ref::compress(variant == 1 ? ref::kInitial : variant == 2 ? digest : state, block);
  }

  uint32_t& word(uint32_t at) { return *reinterpret_cast<uint32_t*>(&ram.at(at)); }
  ref::State native(uint32_t at) {
    ref::State state;
    for (uint32_t i = 0; i < 8; i++) state[i] = word(at + 4 * i);
    return state;
  }
  ref::State big(uint32_t at) {
    ref::State state = native(at);
    for (uint32_t& each : state) each = __builtin_bswap32(each);
    return state;
  }
  void write(uint32_t at, const ref::State& state, bool as_words = false) {
    for (uint32_t i = 0; i < 8; i++) word(at + 4 * i) = as_words ? state[i] : __builtin_bswap32(state[i]);
  }

  // A block of two halves.
  static ref::Block both(const ref::State& low, const ref::State& high) {
    ref::Block block;
    std::copy(low.begin(), low.end(), block.begin());
    std::copy(high.begin(), high.end(), block.begin() + 8);
    return block;
  }
  // The end of a message of 96 bytes, and that of one of 128.
  static ref::State last32(const ref::State& from, const ref::State& half) {
    return ref::compress(from, both(half, {1u << 31, 0, 0, 0, 0, 0, 0, 768}));
  }
  static ref::State pad128(const ref::State& from) { return ref::compress(from, both({1u << 31}, {0, 0, 0, 0, 0, 0, 0, 1024})); }
  static ref::State mask(ref::State value, const ref::State& with) {
    for (uint32_t i = 0; i < 8; i++) value[i] ^= with[i];
    return value;
  }
  // RFC 8391, Section 5.1: PRF of an address, and the state after toByte(function, 32) and a KEY.
  ref::State prf(ref::State address, uint32_t part) const {
    address[7] = part;
    return last32(seed, address);
  }
  static ref::State keyed(uint32_t function, const ref::State& key) {
    return ref::compress(ref::kInitial, both({0, 0, 0, 0, 0, 0, 0, function}, key));
  }

  void seed_at(uint32_t at) override { seed = native(at); }

  bool chain(uint32_t variant, uint32_t at, uint32_t head, uint32_t to) {
    ref::State value = big(at), address = big(variant & 1 ? at : head);
    for (uint32_t step = from; step < from + steps; step++) {
      address[6] = step;
      uint32_t given = rows + 64 * (row + step);
      ref::State key = variant & 1 ? big(given) : keyed(0, prf(address, 0));
      value = last32(key, mask(value, variant & 1 ? big(given + 32) : prf(address, 1)));
    }
    write(to, value);
    return true;
  }

  // SP 800-208, Section 5.1: n = 24, each message whole.
  bool short_chain(uint32_t variant, uint32_t at, uint32_t head, uint32_t to) {
    ref::Bytes address(&ram.at(head), &ram.at(head) + 32), value(&ram.at(at), &ram.at(at) + 24), pub_seed;
    for (uint32_t i = 0; i < 24; i++) pub_seed.push_back(uint8_t(seed[i / 4] >> (24 - 8 * (i % 4))));
    const auto hashed = [](uint8_t function, const ref::Bytes& key, const ref::Bytes& text) {
      ref::Bytes message = {0, 0, 0, function};
      message.insert(message.end(), key.begin(), key.end());
      message.insert(message.end(), text.begin(), text.end());
      ref::Bytes digest = ref::hash(message);
      digest.resize(24);
      return digest;
    };
    std::fill(address.begin() + 24, address.end(), 0);
    for (uint32_t step = from; step < from + steps; step++) {
      address[27] = uint8_t(step);
      address[31] = 0;
      const ref::Bytes key = hashed(3, pub_seed, address);
      address[31] = 1;
      const ref::Bytes with = hashed(3, pub_seed, address);
      for (uint32_t i = 0; i < 24; i++) value[i] ^= with[i];
      value = hashed(0, key, value);
    }
    std::copy(value.begin(), value.end(), ram.begin() + to);
    return !(variant & 1);
  }

  bool lms_chain(uint32_t at, uint32_t head, uint32_t to) {
    size_t n = mode == kLmsN24 ? 24 : 32;
    ref::Bytes message(&ram.at(head), &ram.at(head) + 23);
    message.insert(message.end(), &ram.at(at), &ram.at(at) + n);
    for (uint32_t step = from; step < from + steps; step++) {
      message[22] = uint8_t(step);
      ref::Bytes value = ref::hash(message);
      std::copy(value.begin(), value.begin() + n, message.begin() + 23);
    }
    std::copy(message.begin() + 23, message.end(), ram.begin() + to);
    return mode == kLmsN24 || mode == kLmsN32;
  }

  void hash(uint32_t variant, uint32_t state, uint32_t block) {
    ref::State from = variant & 4 ? big(state) : native(state);
    ref::State value = variant & 2 ? last32(from, big(block)) : ref::compress(from, both(big(block), big(block + 32)));
    write(target, variant & 1 ? pad128(value) : value, variant & 8);
  }

  void node(uint32_t pair, uint32_t row) {
    ref::Block block = both(mask(big(pair), big(row + 32)), mask(big(pair + 32), big(row + 64)));
    write(target, pad128(ref::compress(big(row), block)));
  }

  void node_row(uint32_t head) {
    ref::State address = big(head);
    write(target, keyed(1, prf(address, 0)));
    write(target + 32, prf(address, 1));
    write(target + 64, prf(address, 2));
  }
};
