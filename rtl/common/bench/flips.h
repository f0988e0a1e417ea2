// SPDX-License-Identifier: Apache-2.0 OR MIT
// Flips one bit of one register and runs on, for each register of a model and each cycle of a window around a decision. Built by `cargo xtask hw
// flips`, with every variable public.
#pragma once
#include <set>
#include <string>

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

// Cycles in which the answer is shown, and waits.
constexpr unsigned kShown = 4;

enum class Verdict { kGood, kBad, kRefused };

// A verification that can be stopped between two cycles.
struct Run {
  Clocked clk;
  size_t at = 0;  // bytes of the stream that are taken

  virtual ~Run() = default;
  virtual void begin() = 0;  // from a reset
  virtual void show() = 0;   // the inputs, and what they lead to
  virtual void step() = 0;   // a cycle, whose word may be taken
  virtual bool answered() const = 0;
  virtual Verdict verdict() const = 0;
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

// Flips in the last cycles before the answer, and while it is shown. Names the registers that make a signature good, where none may.
inline Flips sweep(Run& run, unsigned window, bool may, size_t& bits) {
  run.begin();
  uint64_t cycles = 0;
  for (; !run.answered(); cycles++) run.step();
  run.begin();
  for (uint64_t i = 0; i + window < cycles; i++) run.step();
  std::vector<Register> registers = registers_of(run.clk);
  bits = 0;
  for (const Register& one : registers) bits += one.bits;
  Flips flips;
  for (unsigned t = 0; t < window + kShown; t++) {
    Held before(*run.clk.top);
    size_t at = run.at;
    for (const Register& one : registers) {
      for (unsigned bit = 0; bit < one.bits; bit++) {
        one.flip(bit);
        settle(run.clk);
        run.show();
        if (judge(run, 2 * window + 400, flips) && !may) fprintf(stderr, "good: %s, bit %u\n", one.name.c_str(), bit);
        Restored(*run.clk.top, before.bytes);
        run.at = at;
      }
    }
    run.show();
    run.step();
  }
  return flips;
}

inline void row(const std::string& name, unsigned window, size_t bits, const Flips& n) {
  printf("{\"op\":\"%s\",\"window\":%u,\"bits\":%zu,\"flips\":%llu,\"good\":%llu,\"bad\":%llu,\"refused\":%llu,\"silent\":%llu}\n", name.c_str(),
         window + kShown, bits, static_cast<unsigned long long>(n.all), static_cast<unsigned long long>(n.good), static_cast<unsigned long long>(n.bad),
         static_cast<unsigned long long>(n.refused), static_cast<unsigned long long>(n.silent));
}

// HASTEN_WINDOW, or a short window.
inline unsigned asked_window() {
  const char* asked = getenv("HASTEN_WINDOW");
  return asked ? static_cast<unsigned>(atoi(asked)) : 8;
}

// No flip makes a signature of another message good, but for so many that are known.
inline void sweep_other(const std::string& name, Run&& run, uint64_t known = 0) {
  size_t bits = 0;
  Flips wrong = sweep(run, asked_window(), false, bits);
  row(name + ", another message", asked_window(), bits, wrong);
  if (wrong.good > known) fail("a flip made a wrong signature good", wrong.good);
}

// The sweep can say both: a good signature stays good under most flips, and not under all.
inline void sweep_signed(const std::string& name, Run&& run) {
  size_t bits = 0;
  Flips right = sweep(run, asked_window(), true, bits);
  row(name + ", as signed", asked_window(), bits, right);
  if (right.good == 0 || right.bad + right.refused + right.silent == 0) fail("flips change nothing", 0);
}
