// SPDX-License-Identifier: Apache-2.0 OR MIT
// ed25519_scalar on the scalars and keys of vectors.txt: the point, and the cycles from the start to it.
#include <algorithm>

#include "cases.h"
#include "clocked.h"

namespace {

constexpr uint64_t kMost = 20'000;

uint64_t multiply(Clocked& clk, const Case& c) {
  auto& top = *clk.top;
  for (unsigned i = 0; i < 8; i++) top.scalar_i[i] = static_cast<uint32_t>(c.scalar[i / 2] >> (32 * (i % 2)));
  top.start_i = 1;
  clk.tick();
  top.start_i = 0;
  uint64_t cycles = 1;
  for (clk.look(); !top.done_o; clk.look(), cycles++) {
    if (cycles == kMost) fail("no point", clk.cycle);
    clk.tick();
  }
  for (unsigned i = 0; i < 8; i++)
    if (top.point_o[i] != static_cast<uint32_t>(c.out[i / 2] >> (32 * (i % 2)))) fail("wrong point", clk.cycle);
  return cycles;
}

}  // namespace

int main() {
  Clocked clk;
  clk.top->start_i = 0;
  clk.reset();
  uint64_t sum = 0, most = 0, count = 0;
  for (const Case& c : load("rtl/ed25519/bench/vectors.txt")) {
    if (c.op != 0) continue;
    uint64_t cycles = multiply(clk, c);
    sum += cycles;
    most = std::max(most, cycles);
    count++;
  }
  report("scalar-multiplication", sum / count, most, 1);
}
