// SPDX-License-Identifier: Apache-2.0 OR MIT
// The registers of a model that Verilator left open (registers.vlt), to be turned or shown.
#pragma once
#include "machine.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

// A register by the names that its modules give it.
struct Register {
  std::string name;
  uint8_t* data;
  unsigned bits;

  void turn(unsigned bit) const { data[bit / 8] ^= 1 << bit % 8; }
  uint64_t value() const {
    uint64_t value = 0;
    memcpy(&value, data, (bits + 7) / 8);
    return value;
  }
};

// All registers of the modules whose path has `below` in it, without the processor's counters of cycles and events: no decision reads them.
inline std::vector<Register> registers(Machine& machine, const std::string& below) {
  std::vector<Register> found;
  for (const auto& scope : *machine.context->scopeNameMap()) {
    const std::string path = scope.first;
    if (path.find(below) == std::string::npos || !scope.second->varsp()) continue;
    for (auto& named : *scope.second->varsp()) {
      VerilatedVar& var = named.second;
      if (std::string(named.first) == "mhpmcounter_q") continue;
      auto* data = static_cast<uint8_t*>(var.datap());
      const size_t each = var.entSize();
      for (size_t at = 0; var.isPublicRW() && at < var.totalSize(); at += each) {
        found.push_back({path + "." + named.first, data + at, static_cast<unsigned>(var.entBits())});
      }
    }
  }
  return found;
}
