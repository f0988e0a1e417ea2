// SPDX-License-Identifier: Apache-2.0 OR MIT
// Turns bits of registers in the decision. A run ends as soon as its machine stands where another one stood in the same cycle, whose end
// is known: all that can differ is in the state, and from there both go the same way. Cycles are taken from the last one on, so that most
// ends are known: a bit that lies unused in its register in one cycle is the same bit turned in the next one.
#pragma once
#include <unordered_map>

#include "attack.h"
#include "registers.h"

// The ends of machines by where they stood, for each cycle of the window and behind it.
class Ends {
 public:
  explicit Ends(size_t cycles) : ends_(cycles) {}
  void learn(size_t cycle, uint64_t state, Outcome how) {
    if (cycle < ends_.size()) ends_[cycle][state] = how;
  }
  const Outcome* find(size_t cycle, uint64_t state) const {
    if (cycle >= ends_.size()) return nullptr;
    const auto found = ends_[cycle].find(state);
    return found == ends_[cycle].end() ? nullptr : &found->second;
  }
  // Forgets what a cycle so far behind would hardly need.
  void forget(size_t cycle) {
    if (cycle < ends_.size() && ends_[cycle].size() > 1) ends_[cycle] = {};
  }

 private:
  std::vector<std::unordered_map<uint64_t, Outcome>> ends_;
};

class Upsets {
 public:
  Upsets(Machine& machine, const char* below, uint64_t window, uint64_t cycles, uint64_t most)
      : machine_(machine), all_(registers(machine, below)), ends_(window + 1), good_(window + 1) {
    for (const Register& one : all_) result_.bits += one.bits;
    // Each bit is turned in every STEP-th cycle, and neighbours in other ones: all of them meet as many cycles of the window.
    step_ = std::max((window + cycles - 1) / cycles, window * result_.bits / most + (window * result_.bits % most != 0));
    for (begin_ = machine.out.cycle; !machine.is_over(); machine.step()) {
      good_[kept_.size()] = machine.state();
      kept_.emplace_back();
      machine.keep(kept_.back());
    }
    last_ = machine.out.cycle + kTail;
  }

  // Turns bits in one of so many shares of the cycles, the last ones first.
  Count run(uint64_t share, uint64_t shares) {
    const size_t from = kept_.size() * share / shares, to = kept_.size() * (share + 1) / shares;
    for (size_t at = to; at-- > from;) {
      uint64_t number = step_ > kept_.size() ? at * result_.bits : at;  // of fewer runs than bits each is of another bit
      for (const Register& one : all_) {
        for (unsigned bit = 0; bit < one.bits; ++bit) {
          if (number++ % step_ != 0) continue;
          machine_.take_back(kept_[at]);
          one.turn(bit);
          machine_.top->eval();
          result_.note(follow(), "cycle " + std::to_string(begin_ + at) + " " + one.name + " bit " + std::to_string(bit));
        }
      }
      ends_.forget(at + std::max<uint64_t>(step_, kNear) + 1);
    }
    return result_;
  }

 private:
  static constexpr uint64_t kNear = 8;

  bool looks(uint64_t gone) const { return gone <= 2 || gone == step_ || (gone & (gone - 1)) == 0 || gone % 64 == 0; }

  // Runs on until the end, or to where the end is known.
  Outcome follow() {
    std::vector<std::pair<size_t, uint64_t>> way;
    Outcome how = Outcome::silent;
    for (uint64_t gone = 0;; ++gone) {
      const size_t cycle = machine_.out.cycle - begin_;
      if (machine_.is_over() || machine_.out.cycle >= last_) {
        how = outcome(machine_, machine_.is_over());
        break;
      }
      if (cycle < kept_.size() && looks(gone)) {
        const uint64_t state = machine_.state();
        if (state == good_[cycle]) {
          how = Outcome::refused;
          break;
        }
        if (const Outcome* known = ends_.find(cycle, state)) {
          how = *known;
          break;
        }
        if (gone <= kNear || gone == step_) way.emplace_back(cycle, state);
      }
      machine_.step();
    }
    for (const auto& [cycle, state] : way) ends_.learn(cycle, state, how);
    return how;
  }

  Machine& machine_;
  std::vector<Register> all_;
  Ends ends_;
  std::vector<uint64_t> good_;
  std::vector<Kept> kept_;
  Count result_;
  uint64_t step_ = 1, begin_ = 0, last_ = 0;
};
