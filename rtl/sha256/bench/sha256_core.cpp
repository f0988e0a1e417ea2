// SPDX-License-Identifier: Apache-2.0 OR MIT
// Random blocks, back to back and with pauses, resumed, from states and from H(0), against FIPS 180-4 written in C++, after that
// against the answers of FIPS 180-4's examples.
#include <cstring>
#include <string>

#include "../../sha256/bench/sha256_ref.h"
#include "clocked.h"
#include "wave.h"

constexpr unsigned kCycles = 64 / UNROLL;

struct Job {
  ref::Block block;
  ref::State from;
  bool resume, initial;
};

static Clocked sim;

template <class Wide>
static void state(Wide& port, const ref::State& value) {
  for (unsigned i = 0; i < 8; i++) port[i] = value[i];
}

// The words that are asked for a cycle ahead, those of cycle 0 but for a part that comes in cycle 0. `next` is the block whose
// cycle comes next, none where it is not known.
static uint32_t later[UNROLL];

static void words(const ref::Block* next, unsigned cycle, Random& random) {
  uint32_t begin[UNROLL] = {}, ahead[UNROLL] = {};
  unsigned first = (cycle + 1) % kCycles * UNROLL;
  for (unsigned i = 0; i < UNROLL; i++) {
    if (cycle == 0) begin[i] = later[i];
    if (next && first < 16) ahead[i] = (*next)[first + i];
    if (next && first == 0) ahead[i] ^= later[i] = static_cast<uint32_t>(random.next());
  }
  std::memcpy(&sim.top->begin_i, begin, sizeof begin);
  std::memcpy(&sim.top->next_i, ahead, sizeof ahead);
}

// Runs the jobs; a gap of up to `gap` cycles before those that may have one. Returns the cycles.
static uint64_t run(const std::vector<Job>& jobs, std::vector<ref::State>& out, Random& random, unsigned gap) {
  uint64_t start = sim.cycle;
  for (size_t i = 0; i < jobs.size(); i++) {
    unsigned wait = gap && !jobs[i].resume ? random.next() % gap : 0;
    for (; wait > 0; wait--) {
      words(nullptr, kCycles - 1, random);
      sim.top->start_i = 0;
      sim.tick();
    }
    words(&jobs[i].block, kCycles - 1, random);
    sim.top->start_i = 1;
    sim.top->resume_i = jobs[i].resume;
    state(sim.top->state_i, jobs[i].initial ? ref::kInitial : jobs[i].from);
    sim.look();
    if (!sim.top->ready_o) fail("not ready", sim.cycle);
    sim.tick();
    sim.top->start_i = 0;
    sim.top->resume_i = 0;
    unsigned reload = 16 / UNROLL - 1 + random.next() % (kCycles - 16 / UNROLL - (UNROLL == 1 ? 2 : 0));
    bool resume = jobs[i].resume;
    for (unsigned cycle = 0; cycle < kCycles - 1; cycle++) {
      words(&jobs[i].block, cycle, random);
      sim.look();
      if (cycle == 0 && i > 0)
        for (unsigned k = 0; k < 8; k++)
          if (sim.top->digest_o[k] != out[i - 1][k]) fail("digest", sim.cycle);
      sim.top->reload_i = !resume && cycle == reload;
      sim.look();
      if (sim.top->ready_o || sim.top->last_o) fail("ready too early", sim.cycle);
      sim.tick();
    }
    sim.top->reload_i = 0;
    sim.look();
    if (!sim.top->last_o) fail("not the last cycle", sim.cycle);
    ref::State from = jobs[i].resume ? out[i - 1] : jobs[i].initial ? ref::kInitial : jobs[i].from;
    out.push_back(ref::compress(from, jobs[i].block));
  }
  sim.top->start_i = 0;
  words(nullptr, kCycles - 1, random);
  sim.tick();
  for (unsigned k = 0; k < 8; k++)
    if (sim.top->digest_o[k] != out.back()[k]) fail("last digest", sim.cycle);
  return sim.cycle - start;
}

static void known_answers() {
  auto check = [](const ref::Bytes& message, uint32_t first, uint32_t last) {
    ref::Bytes digest = ref::hash(message);
    auto at = [&](unsigned i) { return uint32_t(digest[i]) << 24 | digest[i + 1] << 16 | digest[i + 2] << 8 | digest[i + 3]; };
    if (at(0) != first || at(28) != last) fail("the reference itself", 0);
  };
  auto text = [](const char* s) { return ref::Bytes(s, s + std::strlen(s)); };
  check(text("abc"), 0xba7816bf, 0xf20015ad);
  check(text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), 0x248d6a61, 0x19db06c1);
}

static std::vector<Job> random_jobs(Random& random, size_t count) {
  std::vector<Job> jobs(count);
  for (size_t i = 0; i < count; i++) {
    for (uint32_t& w : jobs[i].block) w = static_cast<uint32_t>(random.next());
    for (uint32_t& w : jobs[i].from) w = static_cast<uint32_t>(random.next());
    jobs[i].resume = i > 0 && random.one_in(3);
    jobs[i].initial = random.one_in(3);
  }
  return jobs;
}

// A reset of one cycle in the middle of a block, and a block that begins in the next.
static void resets(Random& random, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    std::vector<Job> cut = random_jobs(random, 1);
    words(&cut[0].block, kCycles - 1, random);
    sim.top->start_i = 1;
    state(sim.top->state_i, cut[0].from);
    sim.tick();
    sim.top->start_i = 0;
    for (unsigned cycle = 0, cycles = random.next() % kCycles; cycle < cycles; cycle++) {
      words(&cut[0].block, cycle, random);
      sim.tick();
    }
    sim.reset(1);
    sim.look();
    if (sim.top->busy_o || sim.top->last_o || !sim.top->ready_o) fail("busy after a reset", sim.cycle);
    std::vector<ref::State> out;
    run(random_jobs(random, 2), out, random, 0);
  }
}

// Blocks back to back, for `hw energy`.
static int record(const char* path) {
  Random random{UNROLL};
  std::vector<ref::State> out;
  sim.start_record(path);
  sim.reset();
  run(random_jobs(random, 4), out, random, 0);
  out.clear();
  sim.measure();
  run(random_jobs(random, 32), out, random, 0);
  sim.measured("sha256-compress", 32);
  fflush(stdout);
  std::_Exit(0);  // the model stands in a variable of the program, which would outlive Verilator's own
}

// A block, and one that goes on from its result.
static int wave() {
  Random random{UNROLL};
  Vtop& top = *sim.top;
  top.start_i = top.resume_i = top.reload_i = 0;
  sim.reset();
  sim.tick();
  Wave wave;
  wave.bit("ready_o", [&] { return top.ready_o; });
  wave.bit("start_i", [&] { return top.start_i; });
  wave.bit("resume_i", [&] { return top.resume_i; });
  wave.bit("reload_i", [&] { return top.reload_i; });
  wave.space();
  wave.bit("busy_o", [&] { return top.busy_o; });
  wave.bit("last_o", [&] { return top.last_o; });
  sim.watch = [&] { wave.sample(); };
  std::vector<Job> jobs = random_jobs(random, 2);
  jobs[1].resume = true;
  std::vector<ref::State> out;
  run(jobs, out, random, 0);
  wave.print("sha256_core: two blocks, the second one goes on from the result of the first");
  fflush(stdout);
  std::_Exit(0);  // the model stands in a variable of the program, which would outlive Verilator's own
}

int main(int argc, char** argv) {
  if (kRecord) return record(argv[1]);
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  known_answers();
  Random random{UNROLL};
  sim.top->start_i = sim.top->resume_i = sim.top->reload_i = 0;
  sim.reset();
  sim.tick();
  uint64_t cycles = 0;
  for (unsigned gap : {0u, 0u, 1u, 7u, 100u}) {
    std::vector<ref::State> out;
    cycles = run(random_jobs(random, 500), out, random, gap);
    if (gap == 0 && cycles != 500 * kCycles + 1) fail("64 / UNROLL cycles per block", cycles);
  }
  resets(random, 200);
  report("sha256-compress", kCycles, kCycles, 1);
}
