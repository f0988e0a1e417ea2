// SPDX-License-Identifier: Apache-2.0 OR MIT
// sha3_unit_axi as software sees it: registers, interrupts, four messages of different functions at once with random stalls on
// every channel, chains, saved states, and the cycles of long messages.
#include <algorithm>

#include "../gen/sha3_regs.h"
#include "../sha3_driver.h"
#include "axi_bench.h"
#include "driver_platform.h"
#include "sponge.h"
#include "wave.h"

namespace {

struct Function {
  unsigned rate;
  uint8_t suffix;
  unsigned length;  // 0: any
};
constexpr Function kFunctions[] = {{18, 0x06, 28}, {17, 0x06, 32}, {13, 0x06, 48}, {9, 0x06, 64},
                                   {21, 0x1f, 0},  {17, 0x1f, 0},  {21, 0x04, 0},  {17, 0x04, 0},
                                   {17, 0xff, 0},  {21, 0x60, 0}};  // no function's suffix, for its other bits

enum Ending { kNone = 0, kPad = 1, kFill = 2, kPause = 3 };

struct Piece {
  Bytes bytes;
  Ending ending;
};

struct Job {
  unsigned op = SHA3_COMMAND_OP_HASH, rate = 17, suffix = 0x06, lanes = 0, steps = 0;
  uint32_t length = 32, counter = 0, data[8] = {};
  std::vector<Piece> pieces;
  Bytes wanted;
};

struct Tag {
  bool busy = false;
  Job job;
  std::deque<Beat> beats;
  std::deque<bool> may_switch;
  Bytes output;
};

struct Bench : AxiBench {
  Random random;
  Tag tags[4];
  int sending = -1, last = 3;
  bool in_turn = false;  // the tags send their blocks in turn, not at random
  unsigned done = 0;

  Bench(uint64_t seed, unsigned in, unsigned out) : AxiBench(seed, in, out, 20), random{seed} { limit = 2'000'000; }

  void put(const Beat& b) override {
    memcpy(&clk.top->s_axis_tdata, b.data, 16);
    clk.top->s_axis_tkeep = b.keep;
    clk.top->s_axis_tlast = b.last;
    clk.top->s_axis_tid = b.id;
    clk.top->s_axis_tuser = b.user;
  }

  Beat get() override {
    Beat b;
    memcpy(b.data, &clk.top->m_axis_tdata, 16);
    b.keep = clk.top->m_axis_tkeep;
    b.last = clk.top->m_axis_tlast;
    b.id = clk.top->m_axis_tid;
    return b;
  }

  // As a platform of the driver in C.
  bool driven = false;
  std::deque<Beat> queue;
  void write(uint32_t address, uint32_t value) {
    axil.write(address, value);
    drain();
  }
  void restart() {
    source.beats.clear();
    source.waits = sink.waits = false;
    clk.top->s_axis_tvalid = 0;
    clk.reset(20);
    queue.clear();
  }
  bool offer(unsigned stream, const uint8_t* bytes, size_t count, bool last) {
    Beat beat;
    memcpy(beat.data, bytes, count);
    beat.keep = (1u << count) - 1;
    beat.id = stream % 4;
    beat.user = stream / 4;
    beat.last = last;
    source.beats.push_back(beat);
    for (unsigned i = 0; i < 2'000 && !source.beats.empty(); i++) step();
    return source.beats.empty();
  }
  size_t taken_out(uint8_t* bytes, unsigned* id) {
    if (queue.empty()) return 0;
    size_t count = static_cast<size_t>(__builtin_popcount(queue.front().keep));
    memcpy(bytes, queue.front().data, count);
    *id = queue.front().id;
    queue.pop_front();
    return count;
  }

  void take(const Beat& b) override {
    if (driven) return queue.push_back(b);
    Tag& tag = tags[b.id];
    if (!tag.busy) fail("output of an idle tag", clk.cycle);
    for (unsigned i = 0; i < 16; i++)
      if (b.keep >> i & 1) tag.output.push_back(b.data[i]);
    if (!b.last) return;
    if (tag.output != tag.job.wanted) fail("wrong output", clk.cycle);
    tag.busy = false;
    done++;
  }

  // The next beat; another tag may follow where a block has ended.
  void feed() override {
    if (!source.beats.empty()) return;
    if (sending < 0) {
      unsigned from = in_turn ? (last + 1) % 4 : random.next() % 4;
      for (unsigned k = 0; k < 4 && sending < 0; k++)
        if (!tags[(from + k) % 4].beats.empty()) sending = (from + k) % 4;
    }
    if (sending < 0) return;
    last = sending;
    Tag& tag = tags[sending];
    source.beats.push_back(tag.beats.front());
    if (tag.may_switch.front()) sending = -1;
    tag.beats.pop_front();
    tag.may_switch.pop_front();
  }

  void cut(unsigned id, const Job& job) {
    unsigned lanes = job.op == SHA3_COMMAND_OP_LOAD ? 25 : job.op == SHA3_COMMAND_OP_CHAIN ? job.lanes : job.rate;
    for (const Piece& piece : job.pieces) {
      for (size_t at = 0;; at += 16) {
        size_t n = std::min<size_t>(16, piece.bytes.size() - at);
        Beat b;
        memcpy(b.data, piece.bytes.data() + at, n);
        b.keep = (1u << n) - 1;
        b.id = id;
        b.last = at + n == piece.bytes.size();
        b.user = piece.ending;
        tags[id].beats.push_back(b);
        tags[id].may_switch.push_back(b.last || (at + 16) / (8 * lanes) > at / (8 * lanes));
        if (b.last) break;
      }
    }
  }

  // Registers, command, wait until it is taken; then the message may flow.
  void start(unsigned id, const Job& job) {
    Tag& tag = tags[id];
    tag.job = job;
    tag.busy = true;
    tag.output.clear();
    axil.write(SHA3_LENGTH, job.length);
    if (job.op == SHA3_COMMAND_OP_CHAIN || job.op == SHA3_COMMAND_OP_PREFIX) {
      axil.write(SHA3_STEPS, job.steps);
      axil.write(SHA3_COUNTER, job.counter);
      for (unsigned i = 0; i < 8; i++) axil.write(SHA3_DATA(i), job.data[i]);
    }
    axil.write(SHA3_COMMAND, job.op << SHA3_COMMAND_OP_SHIFT | id << SHA3_COMMAND_TAG_SHIFT | job.rate << SHA3_COMMAND_RATE_SHIFT |
                                 job.suffix << SHA3_COMMAND_SUFFIX_SHIFT | job.lanes << SHA3_COMMAND_LANES_SHIFT);
    poll(id);
  }

  void poll(unsigned id) {
    axil.read(SHA3_STATUS, [this, id](uint32_t status, unsigned) { polled(id, status); });
  }

  void polled(unsigned id, uint32_t status) {
    if (status & SHA3_STATUS_BUSY_MASK) {
      axil.read_next(SHA3_STATUS, [this, id](uint32_t again, unsigned) { polled(id, again); });
      return;
    }
    cut(id, tags[id].job);
    if (tags[id].job.wanted.empty()) silent.push_back(id);
  }

  // Operations without output end when their beats are gone.
  std::vector<unsigned> silent;
  void settle() {
    for (unsigned id : silent)
      if (tags[id].beats.empty() && source.beats.empty()) {
        tags[id].busy = false;
        done++;
        silent.erase(std::find(silent.begin(), silent.end(), id));
        return;
      }
  }

  void run(std::deque<Job> jobs) {
    unsigned until = done + jobs.size();
    while (done < until) {
      for (unsigned id = 0; id < 4; id++)
        if (!tags[id].busy && !jobs.empty()) {
          start(id, jobs.front());
          jobs.pop_front();
        }
      step();
      settle();
    }
  }

  void run_on(unsigned id, const Job& job) {
    start(id, job);
    while (tags[id].busy) {
      step();
      settle();
    }
  }

  Bytes bytes(size_t n) {
    Bytes b(n);
    for (uint8_t& x : b) x = random.next();
    return b;
  }

  Job job() {
    const Function& f = kFunctions[random.next() % std::size(kFunctions)];
    Job j;
    j.rate = f.rate;
    j.suffix = f.suffix;
    j.length = f.length ? f.length : 1 + random.next() % 600;
    Bytes message = bytes(random.next() % (random.one_in(4) ? 2001 : 300)), framed;
    if (f.suffix == 0x04) {
      j.pieces.push_back({bytes(1 + random.next() % 300), kFill});
      framed = j.pieces[0].bytes;
      framed.resize((framed.size() + 8 * f.rate - 1) / (8 * f.rate) * (8 * f.rate));
    }
    j.pieces.push_back({message, kPad});
    framed.insert(framed.end(), message.begin(), message.end());
    j.wanted = sponge(f.rate, f.suffix, framed, j.length);
    return j;
  }
};

void expect(Bench& b, uint32_t address, uint32_t wanted, unsigned wanted_resp = kOkay) {
  b.axil.read(address, [=, &b](uint32_t data, unsigned resp) {
    if (data != wanted || resp != wanted_resp) {
      fprintf(stderr, "register %02x: %08x (%u), not %08x (%u)\n", address, data, resp, wanted, wanted_resp);
      fail("a register", b.clk.cycle);
    }
  });
}

void registers(Bench& b) {
  expect(b, SHA3_ID, 0x53484133);
  expect(b, SHA3_VERSION, 1u << 16);
  expect(b, SHA3_FEATURES, UNROLL | INNER << 4 | OUTREG << 6 | 4 << 8);
  expect(b, SHA3_STATUS, 0);
  b.axil.write(SHA3_LENGTH, 0x11223344);
  b.axil.write(SHA3_LENGTH, 0xaabbccdd, 0b0110);
  expect(b, SHA3_LENGTH, 0x11bbcc44);
  b.drain();
  refuses_insecure(b, SHA3_LENGTH);
  b.axil.write(SHA3_DATA(3), 0x5ec7e7);
  expect(b, SHA3_DATA(3), 0);  // write only
  auto refused = [&b](uint32_t, unsigned resp) {
    if (resp != kSlvErr) fail("a write was not refused", b.clk.cycle);
  };
  b.axil.write(SHA3_ID, 1, 15, refused);
  b.axil.write(0x7c, 1, 15, refused);
  // Every address is read. CONTROL is the last register.
  for (uint32_t at = 0; at < SHA3_SIZE; at += 4) {
    unsigned wanted = at <= SHA3_CONTROL ? kOkay : kSlvErr;
    b.axil.read(at, [=, &b](uint32_t, unsigned resp) {
      if (resp != wanted) fail("the answer at an address", at);
    });
  }
  b.axil.write(SHA3_STEPS, 0x5678);
  b.axil.write(SHA3_COUNTER, 0x89abcdef);
  expect(b, SHA3_STEPS, 0x5678);
  expect(b, SHA3_COUNTER, 0x89abcdef);
  b.axil.write(SHA3_CONTROL, 1);
  b.axil.read(SHA3_CYCLES_LOW, [&b](uint32_t data, unsigned) {
    if (data > 100) fail("cycles were not cleared", b.clk.cycle);
  });
  b.drain();
}

void interrupts(Bench& b) {
  b.axil.write(SHA3_DONE, 15);
  b.axil.write(SHA3_INTERRUPT_ENABLE, 1 << 2);
  b.drain();
  b.run_on(1, b.job());
  b.step();
  if (b.clk.top->irq_o) fail("an interrupt that is not enabled", b.clk.cycle);
  b.run_on(2, b.job());
  b.step();
  if (!b.clk.top->irq_o) fail("no interrupt", b.clk.cycle);
  expect(b, SHA3_DONE, 0b0110);
  b.axil.write(SHA3_DONE, 0b0100);
  expect(b, SHA3_DONE, 0b0010);
  b.drain();
  if (b.clk.top->irq_o) fail("the interrupt stays", b.clk.cycle);
}

void chains_of(Bench& b, const Bytes& prefix) {
  Job set;
  set.op = SHA3_COMMAND_OP_PREFIX;
  memcpy(set.data, prefix.data(), 32);
  b.run_on(0, set);
  std::deque<Job> jobs;
  for (unsigned i = 0; i < 15; i++) {
    Job j;
    j.op = SHA3_COMMAND_OP_CHAIN;
    j.suffix = 0x1f;
    j.lanes = 2 + i % 3;
    j.steps = i % 7;
    j.counter = 5;
    size_t n = 8 * j.lanes;
    Bytes tweak = b.bytes(32), value = b.bytes(n);
    memcpy(j.data, tweak.data(), 32);
    j.pieces.push_back({value, kNone});
    for (uint32_t c = 5; c < 5 + j.steps; c++) {
      Bytes m(prefix.begin(), prefix.begin() + n);
      m.insert(m.end(), tweak.begin(), tweak.begin() + 28);
      for (int shift = 24; shift >= 0; shift -= 8) m.push_back(c >> shift);
      m.insert(m.end(), value.begin(), value.end());
      value = sponge(17, 0x1f, m, n);
    }
    j.wanted = value;
    jobs.push_back(j);
  }
  b.run(jobs);
}

// Each bit of the prefix is 0 and 1.
void chains(Bench& b) {
  Bytes prefix = b.bytes(32);
  chains_of(b, prefix);
  for (uint8_t& x : prefix) x = static_cast<uint8_t>(~x);
  chains_of(b, prefix);
}

void states(Bench& b) {
  Bytes message = b.bytes(136 * 3 + 40), head(message.begin(), message.begin() + 272), tail(message.begin() + 272, message.end());
  Job pause, save, load, resume;
  pause.pieces.push_back({head, kPause});
  b.run_on(1, pause);
  State a{};
  for (size_t at = 0; at < 272; at += 136) {
    for (size_t i = 0; i < 136; i++) reinterpret_cast<uint8_t*>(a.data())[i] ^= head[at + i];
    permute(a);
  }
  save.op = SHA3_COMMAND_OP_SAVE;
  save.wanted.assign(reinterpret_cast<uint8_t*>(a.data()), reinterpret_cast<uint8_t*>(a.data()) + 200);
  b.run_on(1, save);
  load.op = SHA3_COMMAND_OP_LOAD;
  load.pieces.push_back({save.wanted, kNone});
  b.run_on(2, load);
  resume.op = SHA3_COMMAND_OP_RESUME;
  resume.pieces.push_back({tail, kPad});
  resume.wanted = sponge(17, 0x06, message, 32);
  b.run_on(2, resume);
}

// A state that was kept is zero after OpClear, and after the pin.
void forgets(Bench& b) {
  for (bool pin : {false, true}) {
    Job pause, save;
    pause.pieces.push_back({b.bytes(136), kPause});
    b.run_on(3, pause);
    b.drain();
    if (pin) {
      b.clk.top->zeroize_i = 1;
      b.step();
      b.clk.top->zeroize_i = 0;
    } else {
      b.axil.write(SHA3_COMMAND, SHA3_COMMAND_OP_CLEAR << SHA3_COMMAND_OP_SHIFT);
      b.drain();
    }
    for (unsigned i = 0; i < 20; i++) b.step();
    expect(b, SHA3_COMMAND, 0);
    expect(b, SHA3_DONE, 0);
    b.drain();
    save.op = SHA3_COMMAND_OP_SAVE;
    save.wanted.assign(200, 0);
    b.run_on(3, save);
  }
}

// The driver in C hashes and walks chains; no fault of the bus makes it give another output.
void drives() {
  Bench b(12, 0, 0);
  b.driven = true;
  Platform<Bench> right{b};
  register_bus bus = right.bus();
  b.restart();
  if (sha3_open(&bus) != DRIVER_OK) fail("the driver finds no unit", b.clk.cycle);
  auto digest = [&](register_bus& one, unsigned tag, sha3_function f, const Bytes& message, uint32_t length, Bytes& out) {
    out.assign(length, 0);
    return sha3_hash(&one, tag, f, message.data(), message.size(), out.data(), length);
  };
  Bytes out;
  unsigned tag = 0;
  for (auto [f, length] : {std::pair<sha3_function, uint32_t>{sha3_224, 28}, {sha3_256, 32}, {sha3_384, 48}, {sha3_512, 64}, {shake128, 500}, {shake256, 1}}) {
    for (size_t count : {0, 1, 15, 16, 17, 136, 300}) {
      Bytes message = b.bytes(count);
      if (digest(bus, tag++ % 4, f, message, length, out) != DRIVER_OK || out != sponge(f.rate, f.suffix, message, length)) fail("the driver's digest", count);
    }
  }
  for (unsigned lanes = 2; lanes <= 4; lanes++) {
    const unsigned n = 8 * lanes, steps = 5;
    Bytes prefix = b.bytes(32), tweak = b.bytes(32), value = b.bytes(n), wanted = value;
    for (unsigned c = 7; c < 7 + steps; c++) {
      Bytes m(prefix.begin(), prefix.begin() + n);
      m.insert(m.end(), tweak.begin(), tweak.begin() + 28);
      m.insert(m.end(), {0, 0, 0, static_cast<uint8_t>(c)});
      m.insert(m.end(), wanted.begin(), wanted.end());
      wanted = sponge(17, 0x1f, m, n);
    }
    if (sha3_prefix(&bus, prefix.data()) != DRIVER_OK || sha3_chain(&bus, 1, tweak.data(), lanes, 7, steps, value.data()) != DRIVER_OK || value != wanted)
      fail("the driver's chain", lanes);
  }
  if (sha3_clear(&bus) != DRIVER_OK || b.read(SHA3_COMMAND) != 0) fail("the driver does not clear", b.clk.cycle);
  // Of two messages: what is left of the first is not given out for the second.
  Bytes first = b.bytes(40), second = b.bytes(40), wanted = sponge(17, 6, second, 32);
  each_fault(b, 24, [&](register_bus& faulty, unsigned at) {
    if (sha3_open(&faulty) != DRIVER_OK) return;
    digest(faulty, 2, sha3_256, first, 32, out);
    if (digest(faulty, 2, sha3_256, second, 32, out) == DRIVER_OK && out != wanted) fail("a fault of the bus gave another digest", at);
  }, 40);
}

// More output than 16 bits count, of every tag.
void long_output() {
  Bench b(8, 0, 0);
  std::deque<Job> jobs;
  for (unsigned i = 0; i < 4; i++) {
    Job j;
    j.rate = 21;
    j.suffix = 0x1f;
    j.length = 66'000;
    j.pieces.push_back({b.bytes(32), kPad});
    j.wanted = sponge(j.rate, j.suffix, j.pieces[0].bytes, j.length);
    jobs.push_back(j);
  }
  b.run(jobs);
}

// Cycles of each four blocks of four long messages, without stalls.
uint64_t four_blocks(unsigned rate, uint8_t suffix, unsigned length) {
  auto time = [&](unsigned blocks) {
    Bench b(7, 0, 0);
    b.in_turn = true;
    std::deque<Job> jobs;
    for (unsigned i = 0; i < 4; i++) {
      Job j;
      j.rate = rate;
      j.suffix = suffix;
      j.length = length;
      j.pieces.push_back({b.bytes(8 * rate * blocks), kPad});
      j.wanted = sponge(rate, suffix, j.pieces[0].bytes, length);
      jobs.push_back(j);
    }
    b.run(jobs);
    return b.clk.cycle;
  };
  return (time(120) - time(20)) / 100;
}

// SHA3-256 of 40 bytes: registers, message, digest.
int wave() {
  Bench b(1, 0, 0);
  Vtop& top = *b.clk.top;
  Wave wave;
  wave.bit("s_axil_awvalid", [&] { return top.s_axil_awvalid; });
  wave.bus("s_axil_awaddr", [&] { return top.s_axil_awaddr; }, [&] { return top.s_axil_awvalid; });
  wave.bit("s_axil_bvalid", [&] { return top.s_axil_bvalid; });
  wave.space();
  wave.bit("s_axis_tvalid", [&] { return top.s_axis_tvalid; });
  wave.bit("s_axis_tready", [&] { return top.s_axis_tready; });
  wave.bus("s_axis_tkeep", [&] { return top.s_axis_tkeep; }, [&] { return top.s_axis_tvalid; });
  wave.bit("s_axis_tlast", [&] { return top.s_axis_tvalid && top.s_axis_tlast; });
  wave.space();
  wave.bit("m_axis_tvalid", [&] { return top.m_axis_tvalid; });
  wave.bit("m_axis_tready", [&] { return top.m_axis_tready; });
  wave.bus("m_axis_tkeep", [&] { return top.m_axis_tkeep; }, [&] { return top.m_axis_tvalid; });
  wave.bit("m_axis_tlast", [&] { return top.m_axis_tvalid && top.m_axis_tlast; });
  Job job;
  job.pieces.push_back({b.bytes(40), kPad});
  job.wanted = sponge(17, 0x06, job.pieces[0].bytes, 32);
  b.watch = [&] { wave.sample(); };
  b.run_on(0, job);
  b.watch = nullptr;
  wave.print("sha3_unit_axi: SHA3-256 of 40 bytes (LENGTH, COMMAND, message, digest)");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  for (unsigned stall = 0; stall < 6; stall += 2) {
    Bench b(stall + 1, stall, 4 - stall);
    registers(b);
    std::deque<Job> jobs;
    for (int i = 0; i < 250; i++) jobs.push_back(b.job());
    b.run(jobs);
    chains(b);
    states(b);
    forgets(b);
    interrupts(b);
  }
  long_output();
  drives();
  report("sha3-512-block", four_blocks(9, 0x06, 64), four_blocks(9, 0x06, 64), 4);
  report("sha3-256-block", four_blocks(17, 0x06, 32), four_blocks(17, 0x06, 32), 4);
  report("shake128-block", four_blocks(21, 0x1f, 32), four_blocks(21, 0x1f, 32), 4);
}
