// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips around the decision: in each of the last HASTEN_WINDOW cycles before the answer (8), and in four while it is shown, each bit of
// each register is flipped by itself, and the core runs on. A signature of another message is never good. Run by `cargo xtask hw flips`.
#include <algorithm>

#include "flips_stream.h"
#include "vectors.h"

namespace {

constexpr unsigned kGood = 0x96, kRefused = 0x0f;

struct Verification final : Streamed<4> {
  const Case& c;
  uint32_t stack[128] = {};  // of XMSS

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
    top.cmd_xmss_i = c.xmss;
    top.stack_ready_i = 1;
    top.cmd_digest_i = 0;
    top.cmd_length_i = c.message.size();
    clk.tick();
    top.cmd_valid_i = at = 0;
    show();
  }
  void step() override {
    auto& top = *clk.top;
    if (top.stack_valid_o && top.stack_write_o) stack[top.stack_address_o] = top.stack_data_o;
    top.stack_data_i = stack[top.stack_address_o];
    Streamed<4>::step();
  }
  Verdict verdict() const override {
    unsigned code = clk.top->rsp_verdict_o;
    return code == kGood ? Verdict::kGood : code == kRefused ? Verdict::kRefused : Verdict::kBad;
  }
};

}  // namespace

int main() {
  bool lms = false, xmss = false, two = false;
  for (const Case& c : load_cases("rtl/hbs_verify/bench/vectors.txt")) {
    if (!c.good || c.message.size() < 3) continue;
    bool& done = c.xmss ? xmss : c.two() ? two : lms;
    if (done || (!c.two() && c.name != "LMS_SHA256_M24_H5_W4" && c.name != "XMSS-SHA2_10_192")) continue;
    done = true;
    // Most bits of the message are others: no single flip makes it the one that was signed.
    Case other = c;
    for (uint8_t& byte : other.message) byte ^= 0xa5;
    sweep_other(c.name, Verification(other));
    sweep_signed(c.name, Verification(c));
  }
}
