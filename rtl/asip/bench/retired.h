// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a machine's bench tells of a run, event by event, for a model of the instructions to compare with (lockstep.cpp).
#pragma once
#include <cstdint>
#include <cstdio>

struct Event {
  enum Kind : uint32_t {
    kRetired,  // an instruction at `address`; register `which` (0: none) holds `value` now
    kStored,   // the processor wrote `value` to the word at `address`, bytes as `which` has bits
    kHolds,    // after the end: the word of the RAM at `address` is `value`
  };
  uint32_t kind, address, which, value;
};

// Writes events into a file; without a name nothing.
class Events {
 public:
  explicit Events(const char* name) : file(name ? fopen(name, "wb") : nullptr), failed(name && !file) {}
  ~Events() {
    if (file) fclose(file);
  }
  bool on() const { return file != nullptr; }
  bool cannot() const { return failed; }
  void add(const Event& event) {
    if (file && fwrite(&event, sizeof event, 1, file) != 1) failed = true;
  }

 private:
  FILE* file;
  bool failed;
};
