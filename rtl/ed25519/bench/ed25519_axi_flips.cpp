// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips in ed25519_axi and the core in it, as the driver sees them (rtl/common/bench/flips_bus.h). Run by `cargo xtask hw flips`.
//
// Verification: no flip makes a signature of another message good, around the answer in each register; and in each register of control and each
// one outside the core throughout. Signing: what leaves while the key that is held has a wrong bit is R alone, or the right signature; and where
// a flip elsewhere makes another signature leave, it is bad, or one with another R.
#include <algorithm>
#include <cstdio>

#include "../gen/ed25519_axi_regs.h"
#include "cases.h"
#include "flips_bus.h"

namespace {

constexpr uint64_t kMost = 4'000;
// Cycles between the flips of a bit, primes: of a bit outside the core, of a bit of the program's control, of a bit of the key.
constexpr unsigned kApart = 197, kControlApart = 13, kKeyApart = 97;

struct Core : Bussed {
  Case c;

  explicit Core(Case one) : c(std::move(one)) { clk.top->m_axis_tready = 1; }
  uint32_t status_address() const override { return ED25519_AXI_STATUS; }
  uint32_t done_address() const override { return ED25519_AXI_DONE; }
  uint32_t done_mask() const override { return ED25519_AXI_DONE_RESPONSE_MASK; }
  bool busy(uint32_t status) const override { return status & ED25519_AXI_STATUS_BUSY_MASK; }
  Verdict judged(uint32_t status) const override { return verdict_of(status >> ED25519_AXI_STATUS_VERDICT_SHIFT & 0xff); }
  void put(size_t beat) override {
    auto& top = *clk.top;
    memcpy(&top.s_axis_tdata, &c.in[beat].data, 8);
    top.s_axis_tkeep = static_cast<uint8_t>((1u << c.in[beat].bytes) - 1);
    top.s_axis_tlast = c.in[beat].last & 1;
  }
  void command(unsigned op) {
    write(ED25519_AXI_DONE, ED25519_AXI_DONE_RESPONSE_MASK);
    write(ED25519_AXI_COMMAND, op);
    beats = c.in.size();
    static_cast<Beside&>(*this) = Beside{};
    show();
  }
};

struct Verification final : Core {
  using Core::Core;
  void begin() override {
    restart();
    command(ED25519_AXI_COMMAND_OP_VERIFY);
  }
};

// A signature, and its words as they come out.
struct Signing final : Core {
  using Core::Core;
  void begin() override {
    auto& top = *clk.top;
    restart();
    write(ED25519_AXI_DONE, ED25519_AXI_DONE_RESPONSE_MASK);
    write(ED25519_AXI_COMMAND, ED25519_AXI_COMMAND_OP_KEYGEN);
    for (uint64_t word : c.seed) {
      top.s_axis_key_tvalid = 1;
      memcpy(&top.s_axis_key_tdata, &word, 8);
      for (clk.look(); !top.s_axis_key_tready; clk.look()) clk.tick();
      clk.tick();
    }
    top.s_axis_key_tvalid = 0;
    beats = 0;
    static_cast<Beside&>(*this) = Beside{};
    for (show(); !answered();) step();
    if ((status >> ED25519_AXI_STATUS_VERDICT_SHIFT & 0xff) != kDone) fail("no key", clk.cycle);
    command(ED25519_AXI_COMMAND_OP_SIGN);
  }
  // All words that came out are those of the signature so far; the highest byte counts them.
  void take() override {
    auto& top = *clk.top;
    if (!top.m_axis_tvalid) return;
    uint64_t word;
    memcpy(&word, &top.m_axis_tdata, 8);
    if (words() >= c.out.size() || c.out[words()] != word) out |= kWrong;
    out++;
    kept.push_back(word);
  }
  std::vector<uint64_t> kept;  // since somebody cleared it
  static constexpr uint64_t kWrong = 1 << 16;
  unsigned words() const { return out & 0xff; }
  // Good is a signature that is wrong and has an S, or a part of it.
  Verdict verdict() const override { return words() <= 4 ? Verdict::kRefused : out & kWrong ? Verdict::kGood : Verdict::kBad; }
};

// Flips the registers with these names.
Flips sweep_named(Run& run, const std::vector<std::string>& parts, unsigned apart, size_t& bits) {
  return sweep_chosen(run, [&](const std::string& name) { return names(name, parts); }, apart, kMost, bits);
}

// Signatures that leave after a flip anywhere in the core, one of so many bits in one cycle each: those with the right R and another S must be
// bad, for such a pair tells the scalar.
Flips sweep_faults(const Case& signs, const Case& verifies, size_t& bits) {
  constexpr unsigned kBits = 8;
  Signing run(signs);
  Flips flips;
  uint64_t cycles = cycles_of(run), left = 0;
  std::vector<std::pair<uint64_t, std::pair<Register, unsigned>>> all;
  run.begin();
  bits = 0;
  for (const Register& one : registers_of(run.clk))
    for (unsigned bit = 0; bit < one.bits; bit++)
      if (bits++ % kBits == 0) all.push_back({bits * 7'919 % cycles, {one, bit}});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::vector<uint64_t>> wrong;
  uint64_t cycle = 0;
  for (const auto& [at, where] : all) {
    for (; cycle < at; cycle++) run.step();
    Stop stop(run);
    run.kept.assign(signs.out.begin(), signs.out.begin() + run.words());
    flip_once(run, stop, where.first, where.second, kMost, flips);
    if (run.kept.size() < 8 || run.kept == signs.out) continue;
    bool same_r = std::equal(run.kept.begin(), run.kept.begin() + 4, signs.out.begin());
    if (same_r) wrong.push_back(run.kept);
    left += !same_r;
  }
  flips.good = 0;
  for (const auto& signature : wrong) {
    Case c = verifies;
    for (size_t i = 0; i < 4; i++) c.in[i].data = signature[i], c.in[8 + i].data = signature[4 + i];
    Verification check(c);
    cycles_of(check);
    flips.good += check.verdict() == Verdict::kGood;
  }
  fprintf(stderr, "%zu signatures with another S are bad, %zu have another R\n", wrong.size(), static_cast<size_t>(left));
  if (wrong.empty()) fail("flips change no signature", 0);
  return flips;
}

// The first case of an operation that is timed and good.
Case first_of(const std::vector<Case>& cases, unsigned op) {
  for (const Case& c : cases)
    if (c.op == op && c.ok && c.name == "timed") return c;
  fail("no case", op);
}

}  // namespace

int main() {
  const std::vector<Case> cases = load("rtl/ed25519/bench/vectors.txt");
  Case genuine = first_of(cases, 2), other = genuine;
  for (size_t i = 12; i < other.in.size(); i++) other.in[i].data ^= 0xa5a5a5a5a5a5a5a5;
  // The short form has bits of fewer cycles, and none of the sweeps over the whole core.
  const unsigned less = is_long() ? 1 : 13;
  size_t bits = 0;
  Verification control(other);
  Flips wrong = sweep_named(control, {"u_seq.pc_q", "u_seq.counter_q", "u_seq.running_q", "u_lane.op_q", "u_lane.finished_q", "u_lane.active_q"},
                            less * kControlApart, bits);
  row("Ed25519, another message, control throughout", less * kControlApart, bits, wrong);
  none_good(wrong);
  Signing signing(first_of(cases, 1));
  Flips released = sweep_named(signing, {"u_key.key_q", "u_key.sum_q"}, less * kKeyApart, bits);
  row("Ed25519, signing, the key that is held throughout", less * kKeyApart, bits, released);
  if (released.good > 0) fail("S leaves for a wrong key", released.good);
  sweep_wrapper("Ed25519", "u_core", less * kApart, kMost, Verification(other));
  if (!is_long()) return 0;
  sweep_other("Ed25519", Verification(other));
  sweep_signed("Ed25519", Verification(genuine));
  Flips faults = sweep_faults(signing.c, genuine, bits);
  row("Ed25519, signing, one bit of eight in one cycle each", 1, bits, faults);
  if (faults.good > 0) fail("a wrong S is good", faults.good);
}
