// SPDX-License-Identifier: Apache-2.0 OR MIT
// All that a model holds, registers and memories, as bytes: two models that went different ways are compared with it.
#pragma once
#include <vector>

#include "clocked.h"
#if !VM_COVERAGE
#include "verilated_save.h"
#endif

#if VM_COVERAGE
// Verilator does not save a model that counts: nothing is compared or found there.
struct Held {
  explicit Held(Vtop&) {}
  std::vector<uint8_t> bytes;
};
#else
class Held final : public VerilatedSerialize {
 public:
  explicit Held(Vtop& top) {
    *this << top;
    flush();
  }
  void flush() override {
    bytes.insert(bytes.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
  std::vector<uint8_t> bytes;
};
#endif
