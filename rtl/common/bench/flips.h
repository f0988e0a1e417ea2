// SPDX-License-Identifier: Apache-2.0 OR MIT
// Flips one bit of one register and runs on, for each register of a model and each cycle of a window. Built by `cargo xtask hw flips`, with
// every variable public.
#pragma once
#include <set>
#include <string>

#include "held.h"
#include "verilated_syms.h"

// Arrays of more bits are memories, and are left alone.
constexpr unsigned kMemoryBits = 4'096;

// A variable that keeps its value without a clock.
struct Register {
  std::string name;
  uint8_t* at;
  unsigned bits;
  void flip(unsigned bit) const { at[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8); }
};

// Every register of the model: a variable of which a bit that is flipped stays so when all else has settled.
inline std::vector<Register> registers_of(Clocked& clk) {
  std::vector<Register> all;
  std::set<void*> seen;
  Held before(*clk.top);
  for (const auto& [scope, pointer] : *clk.context->scopeNameMap()) {
    if (!pointer->varsp()) continue;
    for (const auto& [name, variable] : *pointer->varsp()) {
      if (variable.isParam() || variable.vldir() == VLVD_IN || !seen.insert(variable.datap()).second) continue;
      unsigned elements = 1;
      for (int i = 1; i <= variable.udims(); i++) elements *= static_cast<unsigned>(variable.elements(i));
      if (elements * variable.entBits() > kMemoryBits && elements > 1) continue;
      for (unsigned i = 0; i < elements; i++) {
        Register one{std::string(scope) + "." + name, static_cast<uint8_t*>(variable.datap()) + i * variable.entSize(), variable.entBits()};
        uint8_t value = *one.at;
        one.flip(0);
        clk.look();
        bool stays = *one.at == (value ^ 1);
        Restored(*clk.top, before.bytes);
        if (stays) all.push_back(one);
      }
    }
  }
  return all;
}
