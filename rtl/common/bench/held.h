// SPDX-License-Identifier: Apache-2.0 OR MIT
// All that a model holds, registers and memories, as bytes: two models that went different ways are compared with it, and a model is taken
// back to where it was.
#pragma once
#include <algorithm>
#include <cstring>
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

// The model as it was held.
class Restored final : public VerilatedDeserialize {
 public:
  Restored(Vtop& top, const std::vector<uint8_t>& bytes) : bytes_(bytes) { *this >> top; }
  void fill() override {
    size_t left = m_endp ? static_cast<size_t>(m_endp - m_cp) : 0;
    memmove(m_bufp, m_cp, left);
    m_cp = m_bufp;
    size_t count = std::min(bytes_.size() - at_, bufferSize() - left);
    memcpy(m_bufp + left, bytes_.data() + at_, count);
    at_ += count;
    m_endp = m_bufp + bufferSize();  // nothing behind the last byte is read
  }

 private:
  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
};
#endif
