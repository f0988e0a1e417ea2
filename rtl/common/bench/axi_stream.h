// SPDX-License-Identifier: Apache-2.0 OR MIT
// Both ends of an AXI-Stream for benches, with random stalls, for any ports. In each cycle: drive() of every agent, look() of the model,
// note() of every agent, tick(). A rule of AXI that the model breaks ends the bench.
#pragma once
#include <cstring>
#include <deque>
#include <functional>
#include <vector>

#include "clocked.h"

// Stalls in `eighths` of eight cycles.
struct Stall {
  Random random;
  unsigned eighths;
  bool operator()() { return random.next() % 8 < eighths; }
};

// A beat of up to 16 bytes.
struct Beat {
  uint8_t data[16] = {};
  uint32_t keep = 0, id = 0, user = 0;
  bool last = false;
  bool operator==(const Beat& b) const {
    return memcmp(data, b.data, 16) == 0 && keep == b.keep && id == b.id && user == b.user && last == b.last;
  }
};

// Sends what is in `beats`; put() sets the ports of a beat.
struct StreamSource {
  Stall stall;
  CData& valid;
  const CData& ready;
  std::function<void(const Beat&)> put;
  std::deque<Beat> beats;
  bool waits = false;  // the beat was shown and not taken

  void drive() {
    valid = !beats.empty() && (waits || !stall());
    if (valid) put(beats.front());
  }
  void note() {
    waits = valid && !ready;
    if (valid && ready) beats.pop_front();
  }
};

// Takes beats; get() reads the ports of one, `taken` hears of it.
struct StreamSink {
  Stall stall;
  const CData& valid;
  CData& ready;
  std::function<Beat()> get;
  std::function<void(const Beat&)> taken;
  bool waits = false;
  Beat shown;

  void drive() { ready = !stall(); }
  void note() {
    if (waits && (!valid || !(get() == shown))) fail("TVALID fell or a beat changed", 0);
    waits = valid && !ready;
    if (valid) shown = get();
    if (valid && ready) taken(shown);
  }
};
