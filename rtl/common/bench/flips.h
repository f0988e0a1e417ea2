// SPDX-License-Identifier: Apache-2.0 OR MIT
// Flips one bit of one register and runs on, for each register of a model and each cycle of a window around a decision. Built by
// `cargo xtask hw flips`, with every variable public.
#pragma once
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "held.h"
#include "verilated_syms.h"

// Verilator follows registers behind an edge alone. This has all logic follow what a flip has left in them.
void Vtop___024root___eval_settle(Vtop___024root* root);
inline void settle(Clocked& clk) { Vtop___024root___eval_settle(clk.top->rootp); }

// Arrays of more bits are memories, and are left alone.
constexpr unsigned kMemoryBits = 4'096;

// A variable that keeps its value without a clock.
struct Register {
  std::string name;
  uint8_t* at;
  unsigned bits;
  void flip(unsigned bit) const { at[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8); }
};

// Every register of the model: a variable of which a bit that is flipped stays so when all else has settled.
inline std::vector<Register> registers_of(Clocked& clk) {
  std::vector<Register> all;
  std::set<void*> seen;
  Held before(*clk.top);
  for (const auto& [scope, pointer] : *clk.context->scopeNameMap()) {
    if (!pointer->varsp()) continue;
    for (const auto& [name, variable] : *pointer->varsp()) {
      if (variable.isParam() || variable.vldir() == VLVD_IN || !seen.insert(variable.datap()).second) continue;
      unsigned elements = 1;
      for (int i = 1; i <= variable.udims(); i++) elements *= static_cast<unsigned>(variable.elements(i));
      if (elements * variable.entBits() > kMemoryBits && elements > 1) continue;
      for (unsigned i = 0; i < elements; i++) {
        Register one{std::string(scope) + "." + name, static_cast<uint8_t*>(variable.datap()) + i * variable.entSize(), variable.entBits()};
        uint8_t value = *one.at;
        one.flip(0);
        settle(clk);
        bool stays = *one.at == (value ^ 1);
        Restored(*clk.top, before.bytes);
        if (stays) all.push_back(one);
      }
    }
  }
  return all;
}

// Those whose names are chosen, and how many bits they have.
template <class Chosen>
std::vector<Register> chosen_of(Clocked& clk, Chosen chosen, size_t& bits) {
  std::vector<Register> some;
  bits = 0;
  for (const Register& one : registers_of(clk)) {
    if (!chosen(one.name)) continue;
    some.push_back(one);
    bits += one.bits;
  }
  if (bits == 0) fail("no such register", 0);
  return some;
}

// Cycles in which the answer is shown, and waits.
constexpr unsigned kShown = 4;

enum class Verdict { kGood, kBad, kRefused };

// The codes of a verdict, which are the same in all cores.
inline Verdict verdict_of(unsigned code) { return code == 0x96 ? Verdict::kGood : code == 0x69 ? Verdict::kBad : Verdict::kRefused; }

// What stands beside the model: how far its streams are, and what a driver has seen.
struct Beside {
  size_t at = 0;  // bytes or beats of the stream that are taken
  unsigned stage = 0;
  bool asked = false, over = false;
  uint32_t status = 0, done = 0, again = 0;
  uint64_t out = 0;  // words that came out, in one number
};

// A verification that can be stopped between two cycles.
struct Run : Beside {
  Clocked clk;

  virtual ~Run() = default;
  virtual void begin() = 0;  // from a reset
  virtual void show() = 0;   // the inputs, and what they lead to
  virtual void step() = 0;   // a cycle, whose word may be taken
  virtual bool answered() const = 0;
  virtual Verdict verdict() const = 0;
  // Cycles from the core's answer to the one that is judged, at most.
  virtual unsigned lag() const { return 0; }
};

struct Flips {
  uint64_t all = 0, good = 0, bad = 0, refused = 0, silent = 0;
};

// The answer within so many cycles; every verdict shown afterwards counts.
inline bool judge(Run& run, uint64_t most, Flips& flips) {
  flips.all++;
  for (uint64_t left = most; left > 0 && !run.answered(); left--) run.step();
  if (!run.answered()) {
    flips.silent++;
    return false;
  }
  bool good = false;
  Verdict last = Verdict::kBad;
  for (unsigned shown = 0; shown < kShown && run.answered(); shown++) {
    last = run.verdict();
    good |= last == Verdict::kGood;
    run.step();
  }
  flips.good += good;
  flips.refused += !good && last == Verdict::kRefused;
  flips.bad += !good && last != Verdict::kRefused;
  return good;
}

// A verification between two cycles.
struct Stop {
  explicit Stop(Run& run) : held(*run.clk.top), beside(run) {}
  void restore(Run& run) const {
    Restored(*run.clk.top, held.bytes);
    static_cast<Beside&>(run) = beside;
  }
  Held held;
  Beside beside;
};

// Flips one bit, judges the answer, and takes the verification back to where it was.
inline bool flip_once(Run& run, const Stop& stop, const Register& one, unsigned bit, uint64_t most, Flips& flips) {
  one.flip(bit);
  settle(run.clk);
  run.show();
  bool good = judge(run, most, flips);
  stop.restore(run);
  return good;
}

// Cycles up to the answer.
inline uint64_t cycles_of(Run& run) {
  run.begin();
  uint64_t cycles = 0;
  for (; !run.answered(); cycles++) run.step();
  return cycles;
}

// Whether a name has one of these in it.
inline bool names(const std::string& name, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (name.find(part) != std::string::npos) return true;
  return false;
}

// Flips in the last cycles before the answer, and while it is shown, all registers or those outside `core`. Names the registers that make a
// signature good, where none may.
inline Flips sweep(Run& run, unsigned window, bool may, size_t& bits, const std::string& core) {
  uint64_t cycles = cycles_of(run);
  window += run.lag();
  run.begin();
  for (uint64_t i = 0; i + window < cycles; i++) run.step();
  std::vector<Register> registers = chosen_of(run.clk, [&](const std::string& name) { return core.empty() || !names(name, {core}); }, bits);
  Flips flips;
  for (unsigned t = 0; t < window + kShown; t++) {
    Stop stop(run);
    for (const Register& one : registers) {
      for (unsigned bit = 0; bit < one.bits; bit++) {
        if (flip_once(run, stop, one, bit, 2 * window + 400, flips) && !may) fprintf(stderr, "good: %s, bit %u\n", one.name.c_str(), bit);
      }
    }
    run.show();
    run.step();
  }
  return flips;
}

// One register of one bit, by the end of its name.
inline Register register_of(Clocked& clk, const std::string& end) {
  for (const Register& one : registers_of(clk))
    if (one.bits == 1 && one.name.size() >= end.size() && one.name.compare(one.name.size() - end.size(), end.size(), end) == 0) return one;
  fail("no such register", 0);
}

// Flips the registers whose names are chosen, each bit in every so many cycles of a whole run, and waits so long for the answer. The phase of
// each bit is another one, so that bits of one register meet different cycles. Names what makes the answer good.
template <class Chosen>
Flips sweep_chosen(Run& run, Chosen chosen, unsigned apart, uint64_t most, size_t& bits) {
  uint64_t cycles = cycles_of(run);
  run.begin();
  std::vector<Register> registers = chosen_of(run.clk, chosen, bits);
  fprintf(stderr, "%zu bits, %zu cycles, each bit in every %u\n", bits, static_cast<size_t>(cycles), apart);
  Flips flips;
  for (uint64_t i = 0; i < cycles + kShown; i++) {
    Stop stop(run);
    size_t number = 0;
    for (const Register& one : registers) {
      for (unsigned bit = 0; bit < one.bits; bit++) {
        if ((i + number++) % apart != 0) continue;
        if (flip_once(run, stop, one, bit, most, flips)) fprintf(stderr, "good: %s, bit %u, cycle %zu\n", one.name.c_str(), bit, static_cast<size_t>(i));
      }
    }
    run.show();
    run.step();
  }
  return flips;
}

// The last cycles before an answer: a compression of one round a cycle, and more.
constexpr unsigned kLast = 80;

// Flips one register in every so many cycles and in each of the last ones of a whole verification, and waits so long for the answer.
inline Flips sweep_one(Run& run, const std::string& end, unsigned apart, uint64_t most) {
  uint64_t cycles = cycles_of(run);
  run.begin();
  Register one = register_of(run.clk, end);
  Flips flips;
  for (uint64_t i = 0; i < cycles + kShown; i++) {
    if (i % apart == 0 || i + kLast >= cycles) flip_once(run, Stop(run), one, 0, most, flips);
    run.show();
    run.step();
  }
  return flips;
}

inline void row(const std::string& name, unsigned window, size_t bits, const Flips& n) {
  printf("{\"op\":\"%s\",\"window\":%u,\"bits\":%zu,\"flips\":%llu,\"good\":%llu,\"bad\":%llu,\"refused\":%llu,\"silent\":%llu}\n", name.c_str(),
         window, bits, static_cast<unsigned long long>(n.all), static_cast<unsigned long long>(n.good), static_cast<unsigned long long>(n.bad),
         static_cast<unsigned long long>(n.refused), static_cast<unsigned long long>(n.silent));
}

// Whether a sweep is kept as a result, and not only checked.
inline bool is_long() { return getenv("HASTEN_LONG") != nullptr; }

// HASTEN_WINDOW, or a short window.
inline unsigned asked_window() {
  const char* asked = getenv("HASTEN_WINDOW");
  return asked ? static_cast<unsigned>(atoi(asked)) : 8;
}

// No answer to a signature of another message is good.
inline void none_good(const Flips& wrong) {
  if (wrong.good > 0) fail("a flip made a wrong signature good", wrong.good);
}

// No flip makes a signature of another message good.
inline void sweep_other(const std::string& name, Run&& run, const std::string& core = "") {
  size_t bits = 0;
  Flips wrong = sweep(run, asked_window(), false, bits, core);
  row(name + ", another message" + (core.empty() ? "" : ", all but " + core), asked_window() + run.lag() + kShown, bits, wrong);
  none_good(wrong);
}

// No flip of one register makes a signature of another message good, in every so many cycles of the whole verification.
inline void sweep_whole(const std::string& name, const std::string& end, unsigned apart, uint64_t most, Run&& run) {
  Flips wrong = sweep_one(run, end, apart, most);
  row(name + ", another message, " + end + " throughout", static_cast<unsigned>(wrong.all), 1, wrong);
  none_good(wrong);
}

// No flip outside the core makes a signature of another message good, each bit in every so many cycles of the whole verification.
inline void sweep_wrapper(const std::string& name, const std::string& core, unsigned apart, uint64_t most, Run&& run) {
  size_t bits = 0;
  Flips wrong = sweep_chosen(run, [&](const std::string& name) { return !names(name, {core}); }, apart, most, bits);
  row(name + ", another message, all but " + core + " throughout", apart, bits, wrong);
  none_good(wrong);
}

// The sweep can say both: a good signature stays good under most flips, and not under all.
inline void sweep_signed(const std::string& name, Run&& run, const std::string& core = "") {
  size_t bits = 0;
  Flips right = sweep(run, asked_window(), true, bits, core);
  row(name + ", as signed" + (core.empty() ? "" : ", all but " + core), asked_window() + run.lag() + kShown, bits, right);
  if (right.good == 0 || right.bad + right.refused + right.silent == 0) fail("flips change nothing", 0);
}
