// SPDX-License-Identifier: Apache-2.0 OR MIT
// Single flips around the decision of a verification (rtl/common/bench/flips.h), with XMSS and with LMS. A signature of another message
// is never good. Nor is it where the wiping of the engine sets in by a flip, anywhere in the verification. And of signing: no index signs twice, and
// no value leaves before its index is used. Run by `cargo xtask hw flips xmss`.
#include <algorithm>

#include "flips_stream.h"
#include "vectors.h"

namespace {

enum Op { kLoadKey = 0, kLoadPublic = 1, kPrepare = 2, kSign = 3, kVerify = 4 };
// A prime, so that all phases of a hash are met; and longer than the wiping lasts.
constexpr unsigned kApart = 1'021;
constexpr uint64_t kMost = 2'000;

enum Status { kOk, kBad, kError };

struct Commands : Streamed<8> {
  const Key& key;
  const Signature& signature;

  Commands(const Key& of, const Signature& one) : key(of), signature(one) {
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
  // Until it is answered, and the answer is taken.
  void done(Op op, uint64_t length, Bytes words) {
    auto& top = *clk.top;
    command(op, length, std::move(words));
    while (!top.rsp_valid_o) step();
    if (top.rsp_status_o != kOk) fail("a command was not done", op);
    top.rsp_ready_i = 1;
    step();
    top.rsp_ready_i = 0;
    show();
  }
  void restart() {
    auto& top = *clk.top;
    top.cmd_valid_i = top.in_valid_i = top.rsp_ready_i = 0;
    clk.reset();
  }
};

struct Verification final : Commands {
  using Commands::Commands;
  void begin() override {
    restart();
    Bytes root = key.seed;
    ref::append(root, key.root);
    done(kLoadPublic, 0, root);
    command(kVerify, signature.message.size(), signature.stream());
  }
  Verdict verdict() const override {
    unsigned status = clk.top->rsp_status_o;
    return status == kOk ? Verdict::kGood : status == kBad ? Verdict::kBad : Verdict::kRefused;
  }
};

// A signature from its command to the first value that leaves, or to its refusal; what none may be is `good`. Of an index that was used, a value;
// else a value while the index may sign once more.
struct Signing final : Commands {
  bool used;
  const uint8_t *next = nullptr, *last = nullptr;

  Signing(const Key& of, const Signature& one, bool index_used) : Commands(of, one), used(index_used) {}
  void begin() override {
    restart();
    Bytes message = words(signature.message);
    done(kLoadKey, 0, key.stream());
    if (used) {
      done(kSign, signature.message.size(), message);
      for (uint8_t& byte : message) byte ^= 0xa5;
    } else {
      done(kPrepare, 0, {});
    }
    if (!next) {
      for (const Register& one : registers_of(clk)) {
        if (names(one.name, {"u_command.next_q"})) next = one.at;
        if (names(one.name, {"u_command.last_inv_q"})) last = one.at;
      }
      if (!next || !last) fail("no register of the index", 0);
    }
    command(kSign, signature.message.size(), message);
  }
  bool answered() const override { return clk.top->rsp_valid_o || clk.top->out_valid_o; }
  // The index lies above both copies.
  bool may_sign() const {
    uint32_t above, inverse;
    memcpy(&above, next, 4);
    memcpy(&inverse, last, 4);
    constexpr uint32_t kSign = 1u << 21;
    int32_t below = static_cast<int32_t>((~inverse & (2 * kSign - 1)) ^ kSign) - static_cast<int32_t>(kSign);
    return signature.index >= above && static_cast<int32_t>(signature.index) > below;
  }
  Verdict verdict() const override {
    if (!clk.top->out_valid_o) return Verdict::kRefused;
    return used || may_sign() ? Verdict::kGood : Verdict::kBad;
  }
};

// Cycles between the flips of a bit up to the first value, a prime; and how long a flip may keep that back.
constexpr unsigned kFirstApart = 7;
constexpr uint64_t kFirst = 800;

void sweep_signing(const std::string& name, const Key& key, const Signature& signature) {
  size_t bits = 0;
  Signing again(key, signature, true);
  Flips twice = sweep_chosen(again, [](const std::string&) { return true; }, is_long() ? 1 : 5, kFirst, bits);
  row(name + ", signing with a used index", is_long() ? 1 : 5, bits, twice);
  if (twice.good > 0) fail("an index signs twice", twice.good);
  Signing first(key, signature, false);
  const unsigned apart = is_long() ? kFirstApart : 23 * kFirstApart;
  Flips early = sweep_chosen(first, [](const std::string& one) { return names(one, {"u_command.", "u_sequencer."}); }, apart, kFirst, bits);
  row(name + ", signing, control up to the first value", apart, bits, early);
  if (early.good > 0) fail("a value leaves before its index is used", early.good);
}

}  // namespace

int main() {
  std::map<std::string, Vectors> all = load_vectors();
  for (const char* name : {"XMSS-SHA2_10_256", "LMS_SHA256_M24_H10_W4"}) {
    set = std::find_if(std::begin(kSets), std::end(kSets), [&](const Set& each) { return std::string(each.name) == name; });
    const auto& [key, signatures] = all[name];
    Signature other = signatures[0];
    for (uint8_t& byte : other.message) byte ^= 0xa5;
    // The short form has signing alone.
    if (is_long()) {
      sweep_other(name, Verification(key, other));
      sweep_whole(name, "u_store.wiping_q", kApart, kMost, Verification(key, other));
      sweep_signed(name, Verification(key, signatures[0]));
    }
    if (set->mode >= 2) sweep_signing(name, key, signatures[0]);
  }
}
