// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips in sha3_unit_axi and the unit in it, as its driver sees them (rtl/common/bench/flips_bus.h). The unit has no verdict: software
// compares its digest with the one it expects. No flip gives a message the digest of the one before it. Run by `cargo xtask hw flips`.
#include "../gen/sha3_regs.h"
#include "flips_bus.h"
#include "sponge.h"

namespace {

// Cycles between the flips of a bit outside the unit, a prime; and how long an answer may take.
constexpr unsigned kApart = 3;
constexpr uint64_t kMost = 600;
constexpr unsigned kTag = 2;

struct Hash final : Bussed {
  Bytes first, second, message, genuine;

  Hash(Bytes one, Bytes other) : first(std::move(one)), second(std::move(other)), genuine(sponge(17, 0x06, first, 32)) {
    clk.top->m_axis_tready = 1;
    clk.top->zeroize_i = 0;
  }
  uint32_t status_address() const override { return SHA3_DONE; }
  uint32_t done_address() const override { return SHA3_DONE; }
  uint32_t done_mask() const override { return 1u << kTag; }
  bool busy(uint32_t status) const override { return !(status & done_mask()); }
  // Good is the digest of the first message, all of it and no more.
  Verdict judged(uint32_t) const override { return out == 2 ? Verdict::kGood : Verdict::kBad; }
  void put(size_t beat) override {
    auto& top = *clk.top;
    size_t left = message.size() - 16 * beat, count = left < 16 ? left : 16;
    memcpy(&top.s_axis_tdata, &message[16 * beat], count);
    top.s_axis_tkeep = static_cast<uint16_t>((1u << count) - 1);
    top.s_axis_tlast = beat + 1 == beats;
    top.s_axis_tid = kTag;
    top.s_axis_tuser = 1;
  }
  static constexpr uint64_t kOther = 1 << 16;
  void take() override {
    auto& top = *clk.top;
    if (!top.m_axis_tvalid) return;
    size_t at = 16 * (out & 0xff);
    if (at >= 32 || top.m_axis_tid != kTag || memcmp(&top.m_axis_tdata, &genuine[at], 16) != 0) out |= kOther;
    out++;
  }
  void command(const Bytes& of) {
    write(SHA3_DONE, 1u << kTag);
    write(SHA3_LENGTH, 32);
    write(SHA3_COMMAND, SHA3_COMMAND_OP_HASH << SHA3_COMMAND_OP_SHIFT | kTag << SHA3_COMMAND_TAG_SHIFT |
                            SHA3_COMMAND_RATE_SHA3_256 << SHA3_COMMAND_RATE_SHIFT | SHA3_COMMAND_SUFFIX_SHA3 << SHA3_COMMAND_SUFFIX_SHIFT);
    message = of;
    beats = (message.size() + 15) / 16;
    static_cast<Beside&>(*this) = Beside{};
    show();
  }
  void begin() override {
    restart();
    command(first);
    while (!answered()) step();
    if (verdict() != Verdict::kGood) fail("the digest of the first message", clk.cycle);
    command(second);
  }
};

}  // namespace

int main() {
  const Bytes first(40, 0x5a), second(40, 0xa5);
  sweep_wrapper("SHA3-256", "u_unit", is_long() ? kApart : 41 * kApart, kMost, Hash(first, second));
  if (!is_long()) return 0;
  sweep_other("SHA3-256", Hash(first, second));
  sweep_signed("SHA3-256", Hash(first, first));
}
