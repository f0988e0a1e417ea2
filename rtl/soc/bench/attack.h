// SPDX-License-Identifier: Apache-2.0 OR MIT
// Counts how attacks ended, and finds the cycles in which faults come.
#pragma once
#include "machine.h"

// Cycles of a boot at most, and those that a machine has for its end behind the window in which a fault comes.
static constexpr uint64_t kMost = 60'000'000, kTail = 1'100;

enum class Outcome : uint8_t { refused, silent, booted };

// Returns how a machine stands that ran as long as it may.
inline Outcome outcome(const Machine& machine, bool ended) {
  if (machine.out.started) return Outcome::booted;
  return ended ? Outcome::refused : Outcome::silent;
}

// How attacks ended.
struct Count {
  uint64_t runs = 0, refused = 0, silent = 0, booted = 0, bits = 0;
  std::string which;

  void note(Outcome how, const std::string& name) {
    runs += 1;
    refused += how == Outcome::refused;
    silent += how == Outcome::silent;
    booted += how == Outcome::booted;
    if (how == Outcome::booted && which.size() < 400) which += (which.empty() ? "" : ", ") + name;
  }
  void print() const {
    const auto number = [](const char* name, uint64_t value) { printf("\"%s\":%llu,", name, static_cast<unsigned long long>(value)); };
    printf("{");
    number("runs", runs);
    number("refused", refused);
    number("silent", silent);
    number("booted", booted);
    number("bits", bits);
    printf("\"which\":\"%s\"}\n", which.c_str());
  }
};

// Takes the machine to the beginning of the window, so many cycles before it refuses, and returns false if it does not. It is kept on
// the way, at least a window apart: the last but one is before the window.
inline bool enter(Machine& machine, uint64_t window) {
  Kept last, before;
  machine.keep(last);
  machine.keep(before);
  while (!machine.is_over() && machine.out.cycle < kMost) {
    if (machine.out.cycle == last.outside.cycle + std::max<uint64_t>(window, 4096)) {
      std::swap(last, before);
      machine.keep(last);
    }
    machine.step();
  }
  if (!machine.is_over() || machine.out.started) return false;
  const uint64_t end = machine.out.cycle;
  machine.take_back(before);
  while (machine.out.cycle + window < end) machine.step();
  return true;
}
