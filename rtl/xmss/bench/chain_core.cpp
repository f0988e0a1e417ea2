// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every job of the chain core in every mode on random data, with rows that come late and results that wait, against the texts of
// the standards in C++.
#include "chain_ref.h"
#include "clocked.h"
#include "wave.h"
#include <string>

enum Op { kRaw, kPair, kChain, kFly, kRow, kNodeRow };
enum Mode { kXmss32, kXmss24, kLms32, kLms24 };
constexpr unsigned kCycles = 64 / UNROLL;

static Clocked sim;
static Random rng{1};

struct Operands {
  ref::State a{}, b0{}, b1{};
};

template <class Wide>
static void put(Wide& port, const ref::State& value) {
  for (unsigned i = 0; i < 8; i++) port[i] = value[i];
}

static ref::State digest() {
  ref::State out;
  for (unsigned i = 0; i < 8; i++) out[i] = sim.top->digest_o[i];
  return out;
}

static ref::Bytes random_bytes(size_t n) {
  ref::Bytes out(n);
  for (uint8_t& b : out) b = static_cast<uint8_t>(rng.next());
  return out;
}

// A job: operands, for a chain the rows of the steps after the first.
struct Job {
  Op op;
  unsigned from = 0, steps = 0;
  Operands operands;
  std::vector<Operands> rows;
  std::vector<ref::State> want;
  size_t next = 0, got = 0;
};

// Runs jobs one after the other, prefetching as a lane would; returns the cycles from the first start to the last result. With
// `most` it ends after so many cycles, in the middle of whatever runs. `at_once`: the first job is there from the first cycle on.
static uint64_t run(std::vector<Job>& jobs, unsigned n, unsigned slow, uint64_t most = 0, bool at_once = false) {
  auto& top = *sim.top;
  Operands held = at_once ? jobs[0].operands : Operands{};
  size_t offered = 0, current = 0, done = 0;
  bool job_there = at_once, row_there = false;
  uint64_t called = sim.cycle;
  uint64_t begun = 0;
  unsigned waited = 0;
  while (done < jobs.size()) {
    bool lazy = slow && !rng.one_in(slow);
    // A result may wait for half a block.
    waited = top.result_valid_o && !top.result_ready_i ? waited + 1 : 0;
    top.result_ready_i = !slow || rng.one_in(3) || waited >= kCycles / 2;
    top.job_valid_i = job_there;
    top.step_valid_i = row_there;
    if (job_there) {
      const Job& job = jobs[offered];
      top.job_i = job.op << 16 | job.from << 8 | job.steps;
    }
    put(top.a_i, held.a);
    put(top.b0_i, held.b0);
    put(top.b1_i, held.b1);
    sim.look();
    bool begins = top.job_valid_i && top.job_ready_o;
    bool stepped = top.step_valid_i && top.step_ready_o;
    Operands after = held;
    if (top.keep_a_o) after.a = digest();
    if (top.keep_x_o) after.b0 = digest();
    if (top.result_valid_o && top.result_ready_i) {
      Job& job = jobs[done];
      ref::State got = digest(), want = job.want[job.got];
      if (n == 24) got[6] = got[7] = want[6] = want[7] = 0;
      if (got != want) fail("wrong result", sim.cycle);
      if (top.result_part_o != job.got) fail("wrong part", sim.cycle);
      if (bool(top.result_last_o) != (++job.got == job.want.size())) fail("wrong last", sim.cycle);
      if (top.result_last_o) done++;
    }
    if (begins) {
      if (begun == 0) begun = sim.cycle;
      job_there = false;
      current = offered++;
    } else if (!job_there && offered < jobs.size() && top.free_o && !lazy) {
      after = jobs[offered].operands;
      job_there = true;
    }
    if (stepped) row_there = false;
    else if (top.step_want_o && !row_there && !lazy) {
      Job& job = jobs[current];
      if (job.next == job.rows.size()) fail("one step too many", sim.cycle);
      after.a = job.rows[job.next].a;
      after.b0 = job.rows[job.next++].b0;
      row_there = true;
    }
    sim.tick();
    held = after;
    if (most > 0 && sim.cycle - called == most) return most;
    if (sim.cycle - begun > 4000000) fail("hangs", sim.cycle);
  }
  for (const Job& job : jobs)
    if (job.next != job.rows.size()) fail("rows left", sim.cycle);
  return sim.cycle - begun;
}

static ref::State xored(const ref::Bytes& value) { return ref::words(value); }

struct Setting {
  Mode mode;
  unsigned n;
  ref::Bytes seed;

  Operands row(ref::Address address, unsigned step) const {
    address[6] = step;
    ref::Bytes key = ref::prf(n, seed, address, 0);
    return {n == 32 ? ref::after(0, key) : ref::words(key), ref::words(ref::prf(n, seed, address, 1)), {}};
  }

  Job chain(Op op, unsigned from, unsigned steps) const {
    ref::Bytes value = random_bytes(n);
    Job job{op, from, steps, {}, {}, {}};
    if (mode >= kLms32) {
      ref::Bytes prefix = random_bytes(22);
      job.operands = {ref::words(prefix), {}, ref::words(value)};
      job.want = {ref::words(ref::lms_chain(n, value, from, steps, prefix))};
      return job;
    }
    ref::Address address = random_address();
    job.want = {ref::words(ref::xmss_chain(n, value, from, steps, seed, address))};
    if (op == kFly) {
      job.operands = {{}, ref::words(value), state(address)};
    } else {
      job.operands = row(address, from);
      job.operands.b1 = ref::words(value);
      for (unsigned i = 1; i < steps; i++) job.rows.push_back(row(address, from + i));
    }
    return job;
  }

  Job rows(Op op) const {
    ref::Address address = random_address();
    Job job{op, static_cast<unsigned>(rng.next() % 15), 0, {}, {}, {}};
    if (op == kRow) address[6] = job.from;
    job.operands.b1 = state(address);
    ref::Bytes key = ref::prf(n, seed, address, 0);
    job.want.push_back(n == 32 ? ref::after(op == kNodeRow, key) : ref::words(key));
    for (unsigned part = 1; part <= (op == kNodeRow ? 2u : 1u); part++) job.want.push_back(ref::words(ref::prf(n, seed, address, part)));
    return job;
  }

  Job raw(Op op) const {
    Job job{op, 0, 0, {xored(random_bytes(32)), xored(random_bytes(32)), xored(random_bytes(32))}, {}, {}};
    ref::Block block;
    for (unsigned i = 0; i < 16; i++) block[i] = i < 8 ? job.operands.b0[i] : job.operands.b1[i - 8];
    if (op == kPair && n == 24) {
      ref::Bytes all = ref::number(1, 4);
      for (const ref::State* part : {&job.operands.a, &job.operands.b0, &job.operands.b1}) {
        ref::Bytes value = ref::bytes(*part);
        all.insert(all.end(), value.begin(), value.begin() + 24);
      }
      job.want = {ref::words(ref::hash(all))};
      return job;
    }
    ref::State out = ref::compress(job.operands.a, block);
    if (op == kPair) out = ref::compress(out, ref::pad(ref::Bytes(128))[2]);
    job.want = {out};
    return job;
  }

  static ref::Address random_address() {
    ref::Address address;
    for (uint32_t& w : address) w = static_cast<uint32_t>(rng.next());
    return address;
  }

  static ref::State state(const ref::Address& address) { return address; }

  Job any() const {
    if (mode >= kLms32 && rng.one_in(8)) return chain(kChain, 255 - 15, 15);  // w = 8
    unsigned steps = 1 + rng.next() % 15, from = rng.next() % 16;
    if (mode >= kLms32) return rng.one_in(4) ? raw(kRaw) : chain(kChain, from, steps);
    switch (rng.next() % 6) {
      case 0: return raw(kRaw);
      case 1: return raw(kPair);
      case 2: return chain(kFly, from, 1 + rng.next() % 4);
      case 3: return rows(kRow);
      case 4: return rows(kNodeRow);
      default: return chain(kChain, from, steps);
    }
  }
};

static void start(const Setting& setting) {
  sim.top->mode_i = setting.mode;
  put(sim.top->seed_i, setting.n == 32 ? ref::after(3, setting.seed) : ref::words(setting.seed));
}

// A reset of one cycle in the middle of a job, and a job in the next.
static void resets(const Setting& setting, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    std::vector<Job> cut{setting.any(), setting.any()}, after{setting.any(), setting.any()};
    run(cut, setting.n, 0, 1 + rng.next() % (6 * kCycles));
    sim.reset(1);
    run(after, setting.n, 0, 0, true);
  }
}

static void measure(const Setting& setting, const char* name, Op op, unsigned compressions) {
  std::vector<Job> jobs;
  for (unsigned i = 0; i < 4; i++) jobs.push_back(setting.chain(op, 0, 15));
  uint64_t cycles = run(jobs, setting.n, 0);
  if (cycles > 4 * 15 * compressions * kCycles + 2) fail("cycles of a chain", cycles);
  report(name, cycles / 4, cycles / 4, 1);
}

// Chains of 15 steps with masks prepared, one after the other, for `hw energy`.
static int record(const char* path) {
  sim.start_record(path);
  sim.reset();
  Setting setting{kXmss32, 32, random_bytes(32)};
  start(setting);
  std::vector<Job> first{setting.chain(kChain, 0, 15)}, jobs;
  run(first, 32, 0);
  for (unsigned i = 0; i < 3; i++) jobs.push_back(setting.chain(kChain, 0, 15));
  sim.measure();
  run(jobs, 32, 0);
  sim.measured("xmss-n32-chain", jobs.size());
  fflush(stdout);
  std::_Exit(0);  // the model stands in a variable of the program, which would outlive Verilator's own
}

// A chain of XMSS of three steps, KEY and mask of each given.
static int wave() {
  Vtop& top = *sim.top;
  top.job_valid_i = top.step_valid_i = top.result_ready_i = 0;
  sim.reset();
  Setting setting{kXmss32, 32, random_bytes(32)};
  start(setting);
  Wave wave;
  wave.bit("job_valid_i", [&] { return top.job_valid_i; });
  wave.bit("job_ready_o", [&] { return top.job_ready_o; });
  wave.bit("free_o", [&] { return top.free_o; });
  wave.space();
  wave.bit("step_want_o", [&] { return top.step_want_o; });
  wave.bit("step_valid_i", [&] { return top.step_valid_i; });
  wave.bit("step_ready_o", [&] { return top.step_ready_o; });
  wave.bit("keep_a_o", [&] { return top.keep_a_o; });
  wave.bit("keep_x_o", [&] { return top.keep_x_o; });
  wave.space();
  wave.bit("result_valid_o", [&] { return top.result_valid_o; });
  wave.bit("result_ready_i", [&] { return top.result_ready_i; });
  wave.bit("result_last_o", [&] { return top.result_last_o; });
  sim.watch = [&] { wave.sample(); };
  std::vector<Job> jobs{setting.chain(kChain, 0, 3)};
  run(jobs, 32, 0);
  wave.print("chain_core: three steps of a chain, a row for each");
  fflush(stdout);
  std::_Exit(0);  // the model stands in a variable of the program, which would outlive Verilator's own
}

int main(int argc, char** argv) {
  if (kRecord) return record(argv[1]);
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  sim.reset();
  for (Mode mode : {kXmss32, kXmss24, kLms32, kLms24}) {
    unsigned n = mode == kXmss32 || mode == kLms32 ? 32 : 24;
    Setting setting{mode, n, random_bytes(n)};
    start(setting);
    for (unsigned slow : {0u, 2u, 40u}) {
      std::vector<Job> jobs;
      for (unsigned i = 0; i < 60; i++) jobs.push_back(setting.any());
      run(jobs, n, slow);
    }
    resets(setting, 150);
    const char* names[] = {"xmss-n32", "xmss-n24", "lms-n32", "lms-n24"};
    std::string name = names[mode];
    measure(setting, (name + "-chain").c_str(), kChain, 1);
    if (mode < kLms32) measure(setting, (name + "-chain-masks").c_str(), kFly, n == 32 ? 4 : 5);
  }
}
