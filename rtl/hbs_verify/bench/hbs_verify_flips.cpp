// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips around the decision: in each of the last HASTEN_WINDOW cycles before the answer (8), and in four while it is shown, each bit of
// each register is flipped by itself, and the core runs on. A signature of another message is never good. Run by `cargo xtask hw flips`.
#include <algorithm>

#include "flips.h"
#include "vectors.h"

namespace {

constexpr unsigned kGood = 0x96, kRefused = 0x0f;

struct Verification final : Streamed<4> {
  const Case& c;

  explicit Verification(const Case& one) : c(one) {
    stream = c.stream();
    clk.top->cmd_valid_i = 0;
  }
  void begin() override {
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
  Verdict verdict() const override {
    unsigned code = clk.top->rsp_verdict_o;
    return code == kGood ? Verdict::kGood : code == kRefused ? Verdict::kRefused : Verdict::kBad;
  }
};

}  // namespace

int main() {
  bool lms = false;
  for (const Case& c : load_cases("rtl/hbs_verify/bench/vectors.txt")) {
    bool one = !lms && c.name == "LMS_SHA256_M24_H5_W4", chosen = c.good && c.message.size() >= 3 && (one || c.two());
    if (!chosen) continue;
    lms |= one;
    // Most bits of the message are others: no single flip makes it the one that was signed.
    Case other = c;
    for (uint8_t& byte : other.message) byte ^= 0xa5;
    sweep_other(c.name, Verification(other));
    sweep_signed(c.name, Verification(c));
    if (c.two()) break;
  }
}
