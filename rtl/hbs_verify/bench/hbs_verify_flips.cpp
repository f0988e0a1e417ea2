// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips around the decision: in each of the last HASTEN_WINDOW cycles before the answer (8), and in four while it is shown, each bit of
// each register is flipped by itself, and the core runs on. A signature of another message is never good. Run by `cargo xtask hw flips`.
#include <algorithm>

#include "flips.h"
#include "vectors.h"

namespace {

constexpr unsigned kGood = 0x96, kRefused = 0x0f, kShown = 4;

// A verification that can be stopped between two cycles.
struct Run {
  Clocked& clk;
  const Bytes& stream;
  size_t at = 0;

  void begin(const Case& c) {
    auto& top = *clk.top;
    top.in_valid_i = top.rsp_ready_i = 0;
    clk.reset();
    top.cmd_valid_i = 1;
    top.cmd_hss_i = c.hss;
    top.cmd_digest_i = 0;
    top.cmd_length_i = c.message.size();
    clk.tick();
    top.cmd_valid_i = at = 0;
    show();
  }
  void show() {
    auto& top = *clk.top;
    top.in_valid_i = at < stream.size();
    if (top.in_valid_i) memcpy(&top.in_data_i, &stream[at], 4);
    top.in_last_i = at + 4 == stream.size();
    clk.look();
  }
  void step() {
    if (clk.top->in_valid_i && clk.top->in_ready_o) at += 4;
    clk.tick();
    show();
  }
  bool answered() const { return clk.top->rsp_valid_o; }
};

struct Counts {
  uint64_t flips = 0, good = 0, bad = 0, refused = 0, silent = 0;
};

// The answer within the time that is left and what a flip may add; every verdict shown afterwards counts.
bool judge(Run& run, uint64_t most, Counts& counts) {
  counts.flips++;
  for (uint64_t left = most; left > 0 && !run.answered(); left--) run.step();
  if (!run.answered()) {
    counts.silent++;
    return false;
  }
  bool good = false;
  unsigned verdict = 0;
  for (unsigned shown = 0; shown < kShown && run.answered(); shown++) {
    verdict = run.clk.top->rsp_verdict_o;
    good |= verdict == kGood;
    run.step();
  }
  counts.good += good;
  counts.refused += !good && verdict == kRefused;
  counts.bad += !good && verdict != kRefused;
  return good;
}

// Names the registers that make a signature good, where none may.
Counts sweep(const Case& c, const Bytes& stream, unsigned window, bool may, size_t& bits) {
  Clocked clk;
  clk.top->cmd_valid_i = 0;
  Run run{clk, stream};
  run.begin(c);
  uint64_t cycles = 0;
  for (; !run.answered(); cycles++) run.step();
  run.begin(c);
  for (uint64_t i = 0; i + window < cycles; i++) run.step();
  std::vector<Register> registers = registers_of(clk);
  bits = 0;
  for (const Register& one : registers) bits += one.bits;
  Counts counts;
  for (unsigned t = 0; t < window + kShown; t++) {
    Held before(*clk.top);
    size_t at = run.at;
    for (const Register& one : registers) {
      for (unsigned bit = 0; bit < one.bits; bit++) {
        one.flip(bit);
        run.show();
        if (judge(run, 2 * window + 400, counts) && !may) fprintf(stderr, "good: %s, bit %u\n", one.name.c_str(), bit);
        Restored(*clk.top, before.bytes);
        run.at = at;
      }
    }
    run.show();
    run.step();
  }
  return counts;
}

void row(const char* name, unsigned window, size_t bits, const Counts& n) {
  printf("{\"op\":\"%s\",\"window\":%u,\"bits\":%zu,\"flips\":%llu,\"good\":%llu,\"bad\":%llu,\"refused\":%llu,\"silent\":%llu}\n", name, window + kShown,
         bits, static_cast<unsigned long long>(n.flips), static_cast<unsigned long long>(n.good), static_cast<unsigned long long>(n.bad),
         static_cast<unsigned long long>(n.refused), static_cast<unsigned long long>(n.silent));
}

}  // namespace

int main() {
  const char* asked = getenv("HASTEN_WINDOW");
  unsigned window = asked ? static_cast<unsigned>(atoi(asked)) : 8;
  bool lms = false;
  for (const Case& c : load_cases("rtl/hbs_verify/bench/vectors.txt")) {
    bool one = !lms && c.name == "LMS_SHA256_M24_H5_W4", chosen = c.good && c.message.size() >= 3 && (one || c.two());
    if (!chosen) continue;
    lms |= one;
    // Most bits of the message are others: no single flip makes it the one that was signed.
    Case other = c;
    for (uint8_t& byte : other.message) byte ^= 0xa5;
    size_t bits = 0;
    Counts wrong = sweep(other, other.stream(), window, false, bits);
    row((c.name + ", another message").c_str(), window, bits, wrong);
    if (wrong.good > 0) fail("a flip made a wrong signature good", wrong.good);
    // The sweep can say both: a good signature stays good under most flips, and not under all.
    Counts right = sweep(c, c.stream(), window, true, bits);
    row((c.name + ", as signed").c_str(), window, bits, right);
    if (right.good == 0 || right.bad + right.refused + right.silent == 0) fail("flips change nothing", 0);
    if (c.two()) break;
  }
}
