// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips in xmss_engine_axi and the engine in it, as the driver sees them (rtl/common/bench/flips_bus.h): no flip makes a signature of
// another message good. Run by `cargo xtask hw flips`.
#include <algorithm>

#include "../gen/xmss_regs.h"
#include "flips_bus.h"
#include "vectors.h"

namespace {

// Cycles between the flips of a bit outside the engine, a prime; and how long an answer may take.
constexpr unsigned kApart = 997;
constexpr uint64_t kMost = 8'000;

struct Verification final : Bussed {
  const Key& key;
  const Signature& signature;
  Bytes bytes;
  unsigned answers = 0;

  Verification(const Key& of, const Signature& one) : key(of), signature(one) { clk.top->m_axis_tready = 1; }
  uint32_t status_address() const override { return XMSS_STATUS; }
  uint32_t done_address() const override { return XMSS_DONE; }
  uint32_t done_mask() const override { return XMSS_DONE_ANSWER_MASK; }
  bool busy(uint32_t status) const override { return status & XMSS_STATUS_BUSY_MASK; }
  Verdict judged(uint32_t status) const override {
    unsigned result = status >> XMSS_STATUS_RESULT_SHIFT & 3, code = status >> XMSS_STATUS_VERDICT_SHIFT & 0xff;
    if ((status >> XMSS_STATUS_ANSWERS_SHIFT & 0xff) != answers) return Verdict::kRefused;
    if (result == XMSS_STATUS_RESULT_OK && code == XMSS_STATUS_VERDICT_GOOD) return Verdict::kGood;
    return result == XMSS_STATUS_RESULT_BAD && code == XMSS_STATUS_VERDICT_BAD ? Verdict::kBad : Verdict::kRefused;
  }
  void put(size_t beat) override {
    memcpy(&clk.top->s_axis_tdata, &bytes[8 * beat], 8);
    clk.top->s_axis_tlast = beat + 1 == beats;
  }
  void command(uint32_t op, uint64_t length, Bytes words) {
    write(XMSS_INDEX, signature.index);
    write(XMSS_LENGTH, static_cast<uint32_t>(length));
    write(XMSS_LENGTH_HIGH, 0);
    write(XMSS_DONE, XMSS_DONE_ANSWER_MASK);
    write(XMSS_COMMAND, op | set->mode << XMSS_COMMAND_MODE_SHIFT | set->octets << XMSS_COMMAND_OCTETS_SHIFT |
                            set->narrow << XMSS_COMMAND_NARROW_SHIFT | kHeight << XMSS_COMMAND_HEIGHT_SHIFT);
    answers++;
    bytes = std::move(words);
    beats = bytes.size() / 8;
    static_cast<Beside&>(*this) = Beside{};
    show();
  }
  void begin() override {
    restart();
    answers = 0;
    Bytes root = key.seed;
    ref::append(root, key.root);
    command(XMSS_COMMAND_OP_LOAD_PUBLIC, 0, root);
    while (!answered()) step();
    command(XMSS_COMMAND_OP_VERIFY, signature.message.size(), signature.stream());
  }
};

}  // namespace

int main() {
  std::map<std::string, Vectors> all = load_vectors();
  const char* name = "LMS_SHA256_M24_H10_W4";
  set = std::find_if(std::begin(kSets), std::end(kSets), [&](const Set& each) { return std::string(each.name) == name; });
  const auto& [key, signatures] = all[name];
  Signature other = signatures[0];
  for (uint8_t& byte : other.message) byte ^= 0xa5;
  // The short form has bits of fewer cycles. The engine is swept by itself (xmss_engine_flips.cpp).
  sweep_wrapper(name, "u_engine", is_long() ? kApart : 11 * kApart, kMost, Verification(key, other));
  if (!is_long()) return 0;
  sweep_other(name, Verification(key, other), "u_engine");
  sweep_signed(name, Verification(key, signatures[0]), "u_engine");
}
