// SPDX-License-Identifier: Apache-2.0 OR MIT
// ed25519_halve on cases of the exact model (halve.txt, or the file in HASTEN_CASES): the pair and the cycle in which it is
// there; after a start no pair, and a new k in the middle of another.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "clocked.h"

namespace {

struct Case {
  std::string name, k, pair;
  uint64_t cycles;
};

// Hexadecimal digits, least significant word first.
template <typename Port>
void put(Port& port, std::string text, size_t words) {
  text.insert(0, 8 * words - text.size(), '0');
  for (size_t i = 0; i < words; i++) port[i] = std::stoul(text.substr(8 * (words - 1 - i), 8), nullptr, 16);
}

struct Bench {
  Clocked clk;
  Random random{5};

  void begin(const Case& c) {
    put(clk.top->k_i, c.k, 8);
    clk.top->load_i = 1;
    clk.look();
    clk.tick();
    clk.top->load_i = 0;
  }

  void check(const Case& c) {
    begin(c);
    uint64_t cycles = 1;
    for (clk.look(); !clk.top->done_o && cycles < 1000; clk.look(), cycles++) clk.tick();
    uint32_t expected[13];
    put(expected, c.pair, 13);
    if (cycles != c.cycles) fail("wrong count of cycles", clk.cycle);
    for (unsigned i = 0; i < 13; i++)
      if (clk.top->halved_o[i] != expected[i]) fail("wrong pair", clk.cycle);
  }

  // The pair stays until a start, and is not there after it.
  void check_start() {
    for (unsigned i = 0; i < 3; i++) clk.tick();
    clk.look();
    if (!clk.top->done_o) fail("the pair is gone", clk.cycle);
    clk.top->start_i = 1;
    clk.look();
    clk.tick();
    clk.top->start_i = 0;
    clk.look();
    if (clk.top->done_o) fail("a pair without a scalar", clk.cycle);
  }
};

std::vector<Case> load(const char* path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  for (Case c; file >> c.name >> c.k >> c.pair >> c.cycles;) cases.push_back(c);
  if (cases.empty()) {
    fprintf(stderr, "FAILED: no cases in %s\n", path);
    exit(1);
  }
  return cases;
}

}  // namespace

int main() {
  const char* path = getenv("HASTEN_CASES");
  std::vector<Case> cases = load(path ? path : "rtl/ed25519/bench/halve.txt");
  Bench bench;
  bench.clk.top->start_i = bench.clk.top->load_i = 0;
  uint64_t count = 0, total = 0, most = 0;
  for (size_t i = 0; i < cases.size(); i++) {
    if (i % 7 == 0) {
      bench.begin(cases[(i + 1) % cases.size()]);
      for (uint64_t left = bench.random.next() % 400; left > 0; left--) bench.clk.tick();
    }
    bench.check(cases[i]);
    if (i % 5 == 0) bench.check_start();
    most = std::max(most, cases[i].cycles);
    if (cases[i].name != "timed") continue;
    count++;
    total += cases[i].cycles;
  }
  report("halve", (total + count / 2) / count, most, 1, path ? cases.size() : 0);
}
