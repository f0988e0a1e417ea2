// SPDX-License-Identifier: Apache-2.0 OR MIT
// A model as the platform of a driver in C (rtl/common/register_bus.h), with one fault at an access to its registers, counted from 1.
//
// The bench has `read` and `write` of a register, `step`, `restart` (a reset, after which nothing is on its way), `offer` (a beat to a stream;
// true if it is taken in time) and `taken_out` (the next beat of the output, if there is one).
#pragma once
#include "../register_bus.h"

enum class Fault { kNone, kLost, kRefused, kReset };

template <class Bench>
struct Platform {
  Bench& b;
  Fault fault = Fault::kNone;
  unsigned at = 0, patience = 4'000, accesses = 0;

  bool due(Fault what) const { return fault == what && accesses == at; }
  static Platform& of(void* context) { return *static_cast<Platform*>(context); }
  // Counts an access; false if it is refused.
  bool begins() {
    accesses++;
    if (due(Fault::kReset)) b.restart();
    return !due(Fault::kRefused);
  }
  register_bus bus() {
    return {
        this,
        [](void* context, uint32_t address, uint32_t* value) {
          if (!of(context).begins()) return false;
          *value = of(context).b.read(address);
          return true;
        },
        [](void* context, uint32_t address, uint32_t value) {
          if (!of(context).begins()) return false;
          if (!of(context).due(Fault::kLost)) of(context).b.write(address, value);
          return true;
        },
        [](void* context, unsigned stream, const uint8_t* bytes, size_t count, bool last) {
          if (of(context).b.offer(stream, bytes, count, last)) return true;
          // Who gives up a beat resets the core.
          of(context).b.restart();
          return false;
        },
        [](void* context, uint8_t* bytes, size_t* count, unsigned* id) {
          *count = of(context).b.taken_out(bytes, id);
          return true;
        },
        [](void* context, uint32_t times) {
          for (unsigned i = 0; i < 50; i++) of(context).b.step();
          return times < of(context).patience;
        },
    };
  }
};

// Runs `drive` with each fault at each of the first accesses, from a reset each time; a driver asks so often, 50 cycles apart.
template <class Bench, class Drive>
void each_fault(Bench& b, unsigned accesses, Drive drive, unsigned patience = 4'000) {
  for (Fault fault : {Fault::kLost, Fault::kRefused, Fault::kReset}) {
    for (unsigned at = 1; at <= accesses; at++) {
      b.restart();
      Platform<Bench> platform{b, fault, at, patience};
      register_bus bus = platform.bus();
      drive(bus, at);
    }
  }
}
