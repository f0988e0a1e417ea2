// SPDX-License-Identifier: Apache-2.0 OR MIT
// keccak_core at any parameter point: independent blocks, continued blocks, random stalls with resets, and the spacing of the results.
#include <algorithm>
#include <map>
#include <vector>

#include "clocked.h"
#include "keccak_ref.h"
#include "wave.h"

namespace {

constexpr unsigned kInFlight = UNROLL * (INNER != 0) + (OUTREG != 0 ? UNROLL : 1);
constexpr unsigned kCycles = 24 / UNROLL * kInFlight;

struct Bench {
  Clocked clk;
  Random random{RATE + 16 * UNROLL + INNER};
  std::map<unsigned, State> due;  // by tag: what must come out
  std::vector<uint64_t> ends;     // cycle of each result
  bool watch = false;             // ENTRY 1: the result is valid one cycle after the end
  unsigned next_tag = 0;
  unsigned restarts = 0;

  State block() {
    State m{};
    for (unsigned bit = 0; bit < RATE; bit += 32)
      reinterpret_cast<uint32_t*>(m.data())[bit / 32] = static_cast<uint32_t>(random.next());
    return m;
  }

  void drive(bool valid, bool cont, unsigned tag, const State& m) {
    clk.top->valid_i = valid;
    clk.top->cont_i = cont;
    clk.top->tag_i = tag;
    for (unsigned w = 0; w < RATE / 32; w++)
      clk.top->msg_i[w] = valid ? static_cast<uint32_t>(m[w / 2] >> (32 * (w % 2))) : 0;
    clk.look();
  }

  void check(unsigned tag, const State* added) {
    auto it = due.find(tag);
    if (it == due.end()) fail("a result nobody asked for", clk.cycle);
    for (unsigned i = 0; i < 25; i++) {
      uint64_t lane = clk.top->state_o[2 * i] | static_cast<uint64_t>(clk.top->state_o[2 * i + 1]) << 32;
      if (lane != (it->second[i] ^ (added ? (*added)[i] : 0))) fail("wrong state", clk.cycle);
    }
    due.erase(it);
  }

  // One cycle: offers a block with chance 1/gap, continued with chance 1/chain (0: never).
  void step(unsigned gap, unsigned chain) {
    drive(false, false, 0, State{});
    bool ends_now = clk.top->end_o;
    unsigned end_tag = clk.top->end_tag_o;
    bool offer = random.one_in(gap);
    bool cont = ends_now && chain != 0 && random.one_in(chain);
    State m = block();
    State before{};
    if (ends_now) {
      if (due.count(end_tag) == 0) fail("an end nobody asked for", clk.cycle);
      before = due[end_tag];
      ends.push_back(clk.cycle);
    }
    drive(false, cont, 0, State{});
    bool enter = offer && clk.top->ready_o && (cont || ENTRY == 0 || !ends_now);
    if (enter) drive(true, cont, cont ? end_tag : next_tag, m);
    if (ENTRY == 0 && clk.top->valid_o != ends_now) fail("valid_o is not end_o", clk.cycle);
    if (ENTRY == 0 && ends_now) check(end_tag, nullptr);
    clk.tick();
    if (ENTRY == 1 && ends_now) {
      if (!clk.top->valid_o || clk.top->tag_o != end_tag) fail("no result after the end", clk.cycle);
      check(end_tag, enter && cont ? &m : nullptr);
    }
    if (enter) {
      unsigned tag = cont ? end_tag : next_tag;
      for (unsigned i = 0; i < 25; i++) m[i] ^= cont ? before[i] : 0;
      permute(m);
      due[tag] = m;
      while (due.count(next_tag)) next_tag = (next_tag + 1) % 16;
    }
  }

  // One cycle is enough, and several do no harm.
  void restart() {
    clk.reset(restarts++ % 2 == 0 ? 1 : static_cast<int>(kInFlight) + 1);
    due.clear();
    ends.clear();
    next_tag = 0;
  }

  // Distance of result n + N from result n, over `blocks` results.
  std::pair<uint64_t, uint64_t> spacing(unsigned blocks, unsigned chain) {
    restart();
    while (ends.size() < blocks + kInFlight) step(1, chain);
    uint64_t low = ~0ull, high = 0;
    for (unsigned n = 0; n < blocks; n++) {
      uint64_t d = ends[n + kInFlight] - ends[n];
      low = std::min(low, d);
      high = std::max(high, d);
    }
    return {low, high};
  }
};

// Random blocks of four turns without a pause, for `hw energy`.
int record(const char* path) {
  Bench bench;
  bench.clk.start_record(path);
  bench.restart();
  while (bench.ends.size() < 2 * kInFlight) bench.step(1, 1);
  uint64_t before = bench.ends.size();
  bench.clk.measure();
  for (unsigned i = 0; i < 4 * kCycles; i++) bench.step(1, 1);
  bench.clk.measured("keccak-p1600", bench.ends.size() - before);
  return 0;
}

// Blocks under the tags 1 to 4 in turn; the first goes on with a second block, the others make way for new ones.
int wave() {
  Bench bench;
  bench.restart();
  Vtop& top = *bench.clk.top;
  Wave wave;
  wave.bit("ready_o", [&] { return top.ready_o; });
  wave.bit("valid_i", [&] { return top.valid_i; });
  wave.bit("cont_i", [&] { return top.cont_i; });
  wave.bus("tag_i", [&] { return top.tag_i; }, [&] { return top.valid_i; });
  wave.space();
  wave.bit("end_o", [&] { return top.end_o; });
  wave.bus("end_tag_o", [&] { return top.end_tag_o; }, [&] { return top.end_o; });
  wave.bit("valid_o", [&] { return top.valid_o; });
  wave.bus("tag_o", [&] { return top.tag_o; }, [&] { return top.valid_o; });
  unsigned entered = 0;
  for (unsigned cycle = 0; cycle < 2 * kCycles + kInFlight + 2; cycle++) {
    bench.drive(false, false, 0, State{});
    bool cont = top.end_o && top.end_tag_o == 1;
    bool enter = top.ready_o && entered < 2 * kInFlight;
    State m = bench.block();
    if (enter) bench.drive(true, cont, cont ? 1 : ++entered, m);
    if (enter && cont) entered++;
    wave.sample();
    bench.clk.tick();
  }
  wave.print("keccak_core: four blocks in 48 cycles; the first message goes on (cont_i)");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (kRecord) return record(argv[1]);
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  State zero{};
  permute(zero);
  if (zero[0] != 0xF1258F7940E1DDE7u) fail("the reference itself", 0);
  Bench bench;
  for (int run = 0; run < 8; run++) {
    bench.restart();
    for (int i = 0; i < 2000; i++) bench.step(1 + run, run % 3);
    while (!bench.due.empty()) bench.step(~0ull >> 33, 0);
  }
  auto independent = bench.spacing(1000, 0);
  auto continued = bench.spacing(1000, 1);
  if (continued.first != kCycles || continued.second != kCycles) fail("continued blocks are not evenly spaced", bench.clk.cycle);
  if (independent.first != independent.second) fail("independent blocks are not evenly spaced", bench.clk.cycle);
  if (ENTRY == 0 && independent.second != kCycles) fail("independent blocks lose cycles", bench.clk.cycle);
  report("keccak-p1600", continued.first, independent.second, kInFlight);
}
