// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips around the decision of a verification (rtl/common/bench/flips.h), with XMSS and with LMS. A signature of another message
// is never good. Nor is it where the wiping of the engine sets in by a flip, anywhere in the verification. Run by `cargo xtask hw flips xmss`.
#include <algorithm>

#include "flips.h"
#include "vectors.h"

namespace {

enum Op { kLoadPublic = 1, kVerify = 4 };
// A prime, so that all phases of a hash are met; and longer than the wiping lasts.
constexpr unsigned kApart = 1'021;
constexpr uint64_t kMost = 2'000;

enum Status { kOk, kBad, kError };

struct Verification final : Streamed<8> {
  const Key& key;
  const Signature& signature;

  Verification(const Key& of, const Signature& one) : key(of), signature(one) {
    auto& top = *clk.top;
    top.cmd_valid_i = top.cmd_check_i = top.cmd_table_i = top.cmd_idle_i = 0;
    top.cmd_mode_i = set->mode;
    top.cmd_octets_i = set->octets;
    top.cmd_narrow_i = set->narrow;
    top.cmd_height_i = kHeight;
    top.out_ready_i = 1;
  }
  // Until it is taken.
  void command(Op op, uint64_t length, Bytes words) {
    auto& top = *clk.top;
    stream = std::move(words);
    at = 0;
    top.cmd_op_i = op;
    top.cmd_index_i = signature.index;
    top.cmd_length_i = length;
    top.cmd_valid_i = 1;
    for (show(); !top.cmd_ready_o;) step();
    step();
    top.cmd_valid_i = 0;
    show();
  }
  void begin() override {
    auto& top = *clk.top;
    top.cmd_valid_i = top.in_valid_i = top.rsp_ready_i = 0;
    clk.reset();
    Bytes root = key.seed;
    ref::append(root, key.root);
    command(kLoadPublic, 0, root);
    while (!answered()) step();
    top.rsp_ready_i = 1;
    step();
    top.rsp_ready_i = 0;
    command(kVerify, signature.message.size(), signature.stream());
  }
  Verdict verdict() const override {
    unsigned status = clk.top->rsp_status_o;
    return status == kOk ? Verdict::kGood : status == kBad ? Verdict::kBad : Verdict::kRefused;
  }
};

}  // namespace

int main() {
  std::map<std::string, Vectors> all = load_vectors();
  for (const char* name : {"XMSS-SHA2_10_256", "LMS_SHA256_M24_H10_W4"}) {
    set = std::find_if(std::begin(kSets), std::end(kSets), [&](const Set& each) { return std::string(each.name) == name; });
    const auto& [key, signatures] = all[name];
    Signature other = signatures[0];
    for (uint8_t& byte : other.message) byte ^= 0xa5;
    sweep_other(name, Verification(key, other));
    sweep_whole(name, "u_store.wiping_q", kApart, kMost, Verification(key, other));
    sweep_signed(name, Verification(key, signatures[0]));
  }
}
