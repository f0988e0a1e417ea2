// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips in hbs_verify_axi and the core in it, as the driver sees them (rtl/common/bench/flips_bus.h): no flip makes a signature of another
// message good. Run by `cargo xtask hw flips`.
#include "../gen/hbs_verify_regs.h"
#include "flips_bus.h"
#include "vectors.h"

namespace {

// Cycles between the flips of a bit outside the core, a prime.
constexpr unsigned kApart = 1'999;

struct Verification final : Bussed {
  const Case& c;
  Bytes bytes;
  uint32_t stack[128] = {};  // of XMSS

  explicit Verification(const Case& one) : c(one), bytes(one.stream()) {}
  uint32_t status_address() const override { return HBS_VERIFY_STATUS; }
  uint32_t done_address() const override { return HBS_VERIFY_DONE; }
  uint32_t done_mask() const override { return HBS_VERIFY_DONE_ANSWER_MASK; }
  bool busy(uint32_t status) const override { return status & HBS_VERIFY_STATUS_BUSY_MASK; }
  Verdict judged(uint32_t status) const override { return verdict_of(status >> HBS_VERIFY_STATUS_VERDICT_SHIFT & 0xff); }
  void put(size_t beat) override {
    memcpy(&clk.top->s_axis_tdata, &bytes[4 * beat], 4);
    clk.top->s_axis_tlast = beat + 1 == beats;
  }
  void begin() override {
    clk.top->stack_ready_i = 1;
    restart();
    write(HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_OP_CLEAR);
    write(HBS_VERIFY_LENGTH, static_cast<uint32_t>(c.message.size()));
    write(HBS_VERIFY_LENGTH_HIGH, 0);
    write(HBS_VERIFY_DONE, HBS_VERIFY_DONE_ANSWER_MASK);
    write(HBS_VERIFY_COMMAND, (c.hss ? HBS_VERIFY_COMMAND_HSS_MASK : 0) | (c.xmss ? HBS_VERIFY_COMMAND_XMSS_MASK : 0));
    beats = bytes.size() / 4;
    show();
  }
  void step() override {
    auto& top = *clk.top;
    if (top.stack_valid_o && top.stack_write_o) stack[top.stack_address_o] = top.stack_data_o;
    top.stack_data_i = stack[top.stack_address_o];
    Bussed::step();
  }
};

}  // namespace

int main() {
  for (const Case& c : load_cases("rtl/hbs_verify/bench/vectors.txt")) {
    if (c.name != "LMS_SHA256_M24_H5_W4" || c.two() || !c.good || c.message.size() < 3) continue;
    // Most bits of the message are others: no single flip makes it the one that was signed.
    Case other = c;
    for (uint8_t& byte : other.message) byte ^= 0xa5;
    // The short form has bits of fewer cycles, and none of the sweeps over the whole core.
    sweep_wrapper(c.name, "u_core", is_long() ? kApart : 11 * kApart, 100'000, Verification(other));
    if (!is_long()) return 0;
    sweep_other(c.name, Verification(other));
    sweep_signed(c.name, Verification(c));
    return 0;
  }
  fail("no case", 0);
}
