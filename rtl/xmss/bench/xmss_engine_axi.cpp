// SPDX-License-Identifier: Apache-2.0 OR MIT
// xmss_engine_axi as software sees it: registers, interrupt, signatures of vectors.txt through the streams with random stalls on every
// channel, nodes of the tree, a command that waits behind another one, one that gives way to it, wrong commands and streams, resets in the
// middle.
#include <deque>

#include "../xmss_driver.h"
#include "axi_bench.h"
#include "driver_platform.h"
#include "vectors.h"

namespace {

enum Result { kOk = XMSS_STATUS_RESULT_OK, kBad = XMSS_STATUS_RESULT_BAD, kRefused = XMSS_STATUS_RESULT_REFUSED };
constexpr uint32_t kCodes[] = {XMSS_STATUS_VERDICT_GOOD, XMSS_STATUS_VERDICT_BAD, XMSS_STATUS_VERDICT_REFUSED};
// Nothing was answered.
constexpr uint32_t kNothing = kRefused << XMSS_STATUS_RESULT_SHIFT | kRefused << XMSS_STATUS_EARLIER_SHIFT;
constexpr uint32_t kCheck = XMSS_COMMAND_CHECK_MASK;
// Cycles until a command that came while idle has given way: 18 compressions, or 17 permutations of 24 / UNROLL rounds beside the others. At most
// those of a signature that was prepared.
constexpr unsigned kGivesWay = SHAKE ? 17 * 24 * CORES / UNROLL + 200 : 18 * 64 / UNROLL + 200;
constexpr unsigned kTable = 1'500;  // with stalls
constexpr unsigned kPrepared = SHAKE ? 8'000 : 3'500;

struct Bench : AxiBench {
  std::map<unsigned, Bytes> output;  // by number
  std::deque<Beat> queue;            // for the driver
  unsigned packets = 0;

  StreamSource keys;

  explicit Bench(unsigned stall)
      : AxiBench(stall, stall, stall, 4),
        keys{{{stall + 4u}, stall}, clk.top->s_axis_key_tvalid, clk.top->s_axis_key_tready, [this](const Beat& b) { put_key(b); }, {}, false} {
    watch = [this] { keys.note(); };
  }

  void put(const Beat& b) override {
    memcpy(&clk.top->s_axis_tdata, b.data, 8);
    clk.top->s_axis_tlast = b.last;
  }
  void put_key(const Beat& b) {
    memcpy(&clk.top->s_axis_key_tdata, b.data, 8);
    clk.top->s_axis_key_tlast = b.last;
  }
  void feed() override { keys.drive(); }
  Beat get() override {
    Beat b;
    memcpy(b.data, &clk.top->m_axis_tdata, 8);
    b.id = clk.top->m_axis_tid;
    b.last = clk.top->m_axis_tlast;
    return b;
  }
  void take(const Beat& b) override {
    queue.push_back(b);
    output[b.id].insert(output[b.id].end(), b.data, b.data + 8);
    packets += b.last;
  }

  void send(const Bytes& stream, bool key = false) {
    for (size_t i = 0; i < stream.size(); i += 8) {
      Beat beat;
      memcpy(beat.data, &stream[i], 8);
      beat.last = i + 8 == stream.size();
      (key ? keys : source).beats.push_back(beat);
    }
  }
  unsigned height = kHeight;
  void command(uint32_t op, uint32_t index, const Bytes& stream = {}, uint64_t length = 0) {
    axil.write(XMSS_INDEX, index);
    axil.write(XMSS_LENGTH, static_cast<uint32_t>(length));
    axil.write(XMSS_LENGTH_HIGH, static_cast<uint32_t>(length >> 32));
    axil.write(XMSS_COMMAND, op | set->mode << XMSS_COMMAND_MODE_SHIFT | set->octets << XMSS_COMMAND_OCTETS_SHIFT | set->narrow << XMSS_COMMAND_NARROW_SHIFT | height << XMSS_COMMAND_HEIGHT_SHIFT);
    drain();
    send(stream, (op & XMSS_COMMAND_OP_MASK) == XMSS_COMMAND_OP_LOAD_KEY);
  }
  // Until the engine has answered `answers` times since the interrupt was cleared; the status.
  uint32_t answered(unsigned before, unsigned answers) {
    for (;;) {
      while (!clk.top->irq_o) step();
      axil.write(XMSS_DONE, XMSS_DONE_ANSWER_MASK);
      drain();
      uint32_t status = read(XMSS_STATUS);
      if ((count(status) - before) % 256 == answers) return status;
    }
  }
  static unsigned count(uint32_t status) { return status >> XMSS_STATUS_ANSWERS_SHIFT & 255; }

  // The clock cycles that the engine counts.
  uint32_t run(const char* what, Result want, uint32_t op, uint32_t index, const Bytes& stream = {}, uint64_t length = 0) {
    output.clear();
    packets = 0;
    unsigned before = count(read(XMSS_STATUS));
    command(op, index, stream, length);
    uint32_t status = answered(before, 1);
    while (clk.top->m_axis_tvalid) step();
    if ((status >> XMSS_STATUS_RESULT_SHIFT & 3) != want || status & (XMSS_STATUS_BUSY_MASK | XMSS_STATUS_FULL_MASK)) {
      fprintf(stderr, "%s, %s: status %x\n", set->name, what, status);
      fail("wrong status", clk.cycle);
    }
    if (!source.beats.empty() || !keys.beats.empty()) fail("words are left in the stream", clk.cycle);
    shows((op & XMSS_COMMAND_OP_MASK) == XMSS_COMMAND_OP_VERIFY ? kCodes[want] : XMSS_STATUS_VERDICT_NONE);
    return read(XMSS_CYCLES);
  }
  // As a platform of the driver in C.
  void write(uint32_t address, uint32_t value) {
    axil.write(address, value);
    drain();
  }
  void restart() {
    for (StreamSource* one : {&source, &keys}) {
      one->beats.clear();
      one->waits = false;
    }
    clk.top->s_axis_tvalid = clk.top->s_axis_key_tvalid = 0;
    sink.waits = false;
    clk.reset();
    queue.clear();
  }
  bool offer(unsigned stream, const uint8_t* bytes, size_t count, bool last) {
    StreamSource& to = stream == XMSS_STREAM_KEY ? keys : source;
    Beat beat;
    memcpy(beat.data, bytes, count);
    beat.last = last;
    to.beats.push_back(beat);
    for (unsigned i = 0; i < 100'000 && !to.beats.empty(); i++) step();
    return to.beats.empty();
  }
  size_t taken_out(uint8_t* bytes, unsigned* id) {
    if (queue.empty()) return 0;
    memcpy(bytes, queue.front().data, 8);
    *id = queue.front().id;
    queue.pop_front();
    return 8;
  }
  void shows(uint32_t verdict) {
    uint32_t status = read(XMSS_STATUS);
    if ((status & XMSS_STATUS_VERDICT_MASK) >> XMSS_STATUS_VERDICT_SHIFT == verdict) return;
    fprintf(stderr, "status %x\n", status);
    fail("wrong verdict", clk.cycle);
  }

  void load(const Key& key, uint32_t first) { run("load", kOk, XMSS_COMMAND_OP_LOAD_KEY, first, key.stream()); }
  void is_signature(const Signature& want) {
    if (output.size() != set->len + 1 || packets != 1 || output[kRandomizer] != want.r()) fail("not a signature", clk.cycle);
    for (unsigned i = 0; i < set->len; i++)
      if (output[i] != part(want.chains(), set->n * i, set->n)) fail("chain value", i);
  }
  uint32_t sign(const Signature& want) {
    uint32_t cycles = run("sign", kOk, XMSS_COMMAND_OP_SIGN, want.index, words(want.message), want.message.size());
    is_signature(want);
    return cycles;
  }
  uint32_t verify(const Signature& given, Result want) {
    uint32_t cycles = run("verify", want, XMSS_COMMAND_OP_VERIFY, given.index, given.stream(), given.message.size());
    if (!output.empty()) fail("output of a verification", clk.cycle);
    return cycles;
  }
};

void registers(Bench& b) {
  if (b.read(XMSS_ID) != 0x584d5353 || b.read(XMSS_VERSION) != (1u << 16 | 6)) fail("wrong identity", b.clk.cycle);
  if (b.read(XMSS_FEATURES) != (CORES | UNROLL << XMSS_FEATURES_UNROLL_SHIFT | SHAKE << XMSS_FEATURES_SHAKE_SHIFT | NARROW << XMSS_FEATURES_NARROW_SHIFT)) fail("wrong features", b.clk.cycle);
  auto refused = [&b](uint32_t, unsigned resp) {
    if (resp != kSlvErr) fail("a write was not refused", b.clk.cycle);
  };
  b.axil.write(XMSS_ID, 1, 15, refused);
  b.axil.write(XMSS_STATUS, 1, 15, refused);
  b.axil.write(XMSS_INDEX, 0x11223344);
  b.axil.write(XMSS_INDEX, 0xaabbccdd, 0b0110);
  if (b.read(XMSS_INDEX) != 0x11bbcc44) fail("wrong bytes written", b.clk.cycle);
  b.axil.write(XMSS_INTERRUPT_ENABLE, XMSS_INTERRUPT_ENABLE_ANSWER_MASK);
  b.drain();
  refuses_insecure(b, XMSS_INDEX);
}

// A key is taken from its own stream alone, and nothing else from that one.
void key_apart(Bench& b, const Key& key, const Signature& good) {
  auto stays = [&b](StreamSource& stream, const char* what) {
    size_t words = stream.beats.size();
    for (unsigned i = 0; i < 1'000; i++) b.step();
    if (stream.beats.size() != words) fail(what, b.clk.cycle);
  };
  unsigned before = Bench::count(b.read(XMSS_STATUS));
  b.command(XMSS_COMMAND_OP_LOAD_KEY, good.index);
  b.send(words(good.message));
  stays(b.source, "a key was taken from the stream of data");
  b.send(key.stream(), true);
  b.answered(before, 1);
  b.send(key.stream(), true);
  before = Bench::count(b.read(XMSS_STATUS));
  b.command(XMSS_COMMAND_OP_SIGN, good.index, {}, good.message.size());
  stays(b.keys, "data was taken from the stream of keys");
  b.answered(before, 1);
  b.run("load", kOk, XMSS_COMMAND_OP_LOAD_KEY, good.index);
}

// Both ways, a bad one, and a leaf, which is the first node of the path of its neighbour.
void both_ways(Bench& b, const Key& key, const Signature& good, const Signature& other) {
  b.load(key, good.index);
  b.sign(good);
  b.verify(good, kOk);
  Signature bad = good;
  bad.bytes[bad.path_at() - set->gap() - 1] ^= 4;
  b.verify(bad, kBad);
  b.run("leaf", kOk, XMSS_COMMAND_OP_LEAF, other.index ^ 1);
  if (b.output.size() != 1 || b.packets != 1 || b.output[0] != part(other.path(), 0, set->n)) fail("leaf", b.clk.cycle);
  b.run("prepare", kOk, XMSS_COMMAND_OP_PREPARE, other.index);
  b.sign(other);
  uint32_t table = XMSS_COMMAND_OP_PREPARE | XMSS_COMMAND_CHAIN_TABLE_MASK;
  b.load(key, other.index);
  b.run("table", set->tables() ? kOk : kRefused, table, other.index);
  if (uint32_t cycles = b.sign(other); set->tables() && cycles > kTable) fail("not from the table", cycles);
  b.run("a second signature of a table", kRefused, XMSS_COMMAND_OP_SIGN, other.index, words(other.message), other.message.size());
  b.run("prepare to verify", kOk, XMSS_COMMAND_OP_PREPARE | kCheck, other.index);
  b.verify(other, kOk);
}

// A path holds the nodes beside it: the lowest ones of index 4 are leaf 5, the node over 6 and 7, and the one over 0 to 3.
void nodes(Bench& b, const Key& key, const Signature& at_four, unsigned levels) {
  b.load(key, 0);
  Bytes path = at_four.path();
  for (unsigned level = 0; level < levels; level++) {
    b.height = level;
    b.run("node", kOk, XMSS_COMMAND_OP_NODE, at_four.index >> level ^ 1);
    if (b.output.size() != 1 || b.packets != 1 || b.output[0] != part(path, set->n * level, set->n)) fail("node", level);
  }
  b.run("a node beside the tree", kRefused, XMSS_COMMAND_OP_NODE, 1 << (kHeight + 1 - levels));
  b.height = kHeight + 1;
  b.run("a node above the root", kRefused, XMSS_COMMAND_OP_NODE, 0);
  b.height = kHeight;
}

// What is done while idle gives way to the next command, soon, and leaves nothing behind. Of LMS with w = 8 a core has 16 steps to end; what it
// prepares takes no longer.
void gives_way(Bench& b, const Key& key, const Signature& good) {
  Random random{7};
  b.load(key, good.index);
  for (uint32_t op : {XMSS_COMMAND_OP_NODE, XMSS_COMMAND_OP_LEAF, XMSS_COMMAND_OP_PREPARE, XMSS_COMMAND_OP_PREPARE | kCheck, XMSS_COMMAND_OP_PREPARE | XMSS_COMMAND_CHAIN_TABLE_MASK}) {
    if (set->lms() && (op & XMSS_COMMAND_OP_MASK) == XMSS_COMMAND_OP_PREPARE) continue;
    unsigned before = Bench::count(b.read(XMSS_STATUS));
    b.height = 1;
    b.command(op | XMSS_COMMAND_IDLE_MASK, op == XMSS_COMMAND_OP_NODE ? good.index / 2 : good.index);
    b.height = kHeight;
    for (uint64_t left = random.next() % 1'500; left > 0; left--) b.step();
    b.command(XMSS_COMMAND_OP_VERIFY, good.index, {}, good.message.size());
    uint64_t begin = b.clk.cycle;
    uint32_t status = b.answered(before, 1);
    if (b.clk.cycle - begin > kGivesWay) fail("it gives way late", b.clk.cycle - begin);
    if ((status >> XMSS_STATUS_RESULT_SHIFT & 3) != kRefused) fail("it gave way", status);
    b.send(good.stream());
    status = b.answered(before, 2);
    if ((status >> XMSS_STATUS_RESULT_SHIFT & 3) != kOk) fail("what it gave way to", status);
  }
  b.sign(good);
}

// While a signature is made, the preparation of the next one waits; a third command is lost, and said to be.
void waiting(Bench& b, const Key& key, const Signature& now, const Signature& next) {
  b.load(key, now.index);
  b.output.clear();
  b.packets = 0;
  unsigned before = Bench::count(b.read(XMSS_STATUS));
  b.command(XMSS_COMMAND_OP_SIGN, now.index, {}, now.message.size());
  while (b.read(XMSS_STATUS) & XMSS_STATUS_FULL_MASK) {
  }
  b.command(XMSS_COMMAND_OP_PREPARE, next.index);
  if (!(b.read(XMSS_STATUS) & XMSS_STATUS_FULL_MASK)) fail("nothing waits", b.clk.cycle);
  if (b.read(XMSS_DONE) & XMSS_DONE_LOST_MASK) fail("nothing was lost", b.clk.cycle);
  b.command(XMSS_COMMAND_OP_CLEAR, 0);
  if (!(b.read(XMSS_DONE) & XMSS_DONE_LOST_MASK)) fail("a third command was lost", b.clk.cycle);
  b.axil.write(XMSS_DONE, XMSS_DONE_LOST_MASK);
  b.send(words(now.message));
  uint32_t status = b.answered(before, 2);
  if (status & XMSS_STATUS_BUSY_MASK || (status >> XMSS_STATUS_RESULT_SHIFT & 15) != 0) fail("both are done", b.clk.cycle);
  b.is_signature(now);
  if (b.sign(next) > kPrepared) fail("it was not prepared", b.clk.cycle);
  // The answer of the first is still seen behind that of the second.
  before = Bench::count(b.read(XMSS_STATUS));
  b.command(XMSS_COMMAND_OP_SIGN, now.index, words(now.message), now.message.size());
  b.command(XMSS_COMMAND_OP_LEAF, 0);
  status = b.answered(before, 2);
  if ((status >> XMSS_STATUS_RESULT_SHIFT & 3) != kOk || (status >> XMSS_STATUS_EARLIER_SHIFT & 3) != kRefused) fail("which was refused", b.clk.cycle);
}

void wrong(Bench& b, const Key& key, const Signature& good) {
  Bytes whole = good.stream(), longer = whole;
  ref::append(longer, Bytes(16));
  b.load(key, good.index);
  for (uint32_t op = 8; op < 16; op++) b.run("no such command", kRefused, op, 0);
  b.run("short stream", kRefused, XMSS_COMMAND_OP_VERIFY, good.index, part(whole, 0, whole.size() - 8), good.message.size());
  b.run("one word", kRefused, XMSS_COMMAND_OP_VERIFY, good.index, part(whole, 0, 8), good.message.size());
  b.run("long stream", kRefused, XMSS_COMMAND_OP_VERIFY, good.index, longer, good.message.size());
  for (unsigned bit : {16, 31, 32, 59}) b.run("short long message", kRefused, XMSS_COMMAND_OP_VERIFY, good.index, whole, good.message.size() + (uint64_t{1} << bit));
  b.run("index beyond the tree", kRefused, XMSS_COMMAND_OP_VERIFY, 1 << kHeight, whole, good.message.size());
  b.run("long message", kRefused, XMSS_COMMAND_OP_SIGN, good.index, words(good.message), good.message.size() - 8);
  b.run("the index is used up", kRefused, XMSS_COMMAND_OP_SIGN, good.index, words(good.message), good.message.size());
  b.run("short key", kRefused, XMSS_COMMAND_OP_LOAD_PUBLIC, 0, part(key.seed, 0, 8));
  b.run("no key after that", kRefused, XMSS_COMMAND_OP_VERIFY, good.index, whole, good.message.size());
  b.load(key, good.index);
  b.verify(good, kOk);
  b.run("clear", kOk, XMSS_COMMAND_OP_CLEAR, 0);
  b.run("cleared", kRefused, XMSS_COMMAND_OP_LEAF, 0);
}

void resets(Bench& b, const Key& key, const Signature& good) {
  Random random{5};
  for (unsigned i = 0; i < 6; i++) {
    b.load(key, good.index);
    b.command(i % 2 ? XMSS_COMMAND_OP_VERIFY : XMSS_COMMAND_OP_SIGN, good.index, {}, good.message.size());
    b.command(XMSS_COMMAND_OP_PREPARE, good.index + 1);
    b.send(i % 2 ? good.stream() : words(good.message));
    for (uint64_t left = random.next() % 8'000; left > 0; left--) b.step();
    b.source.beats.clear();
    b.source.waits = b.sink.waits = false;
    b.clk.top->s_axis_tvalid = 0;
    b.clk.reset(1 + i);
    registers(b);
    if (b.read(XMSS_STATUS) != kNothing) fail("something is left", b.clk.cycle);
    b.run("no key after a reset", kRefused, XMSS_COMMAND_OP_LEAF, 0);
    b.load(key, good.index);
    b.sign(good);
    b.verify(good, kOk);
  }
}

// What was not verified is not good: after a reset, while a verification runs, and where one is broken off, behind a good one.
void unasked(Bench& b, const Key& key, const Signature& good) {
  if (b.read(XMSS_STATUS) != kNothing) fail("an answer to nothing", b.clk.cycle);
  for (uint64_t steps : {0, 40, 2'000}) {
    b.load(key, good.index);
    b.verify(good, kOk);
    unsigned before = Bench::count(b.read(XMSS_STATUS));
    b.command(XMSS_COMMAND_OP_VERIFY, good.index, {}, good.message.size());
    Bytes stream = good.stream();
    if (steps) {
      b.send(part(stream, 0, stream.size() / 16 * 8));
      b.source.beats.back().last = false;
    }
    for (uint64_t i = 0; i < steps; i++) b.step();
    b.shows(XMSS_STATUS_VERDICT_NONE);
    uint32_t status = b.read(XMSS_STATUS);
    if (!(status & XMSS_STATUS_BUSY_MASK) || Bench::count(status) != before) fail("answered before its stream has ended", b.clk.cycle);
    b.clk.top->zeroize_i = 1;
    b.step();
    b.clk.top->zeroize_i = 0;
    b.source.beats.clear();
    b.source.waits = false;
    b.clk.top->s_axis_tvalid = 0;
    if (b.read(XMSS_STATUS) != kNothing) fail("an answer to what was broken off", b.clk.cycle);
  }
}

xmss_part of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

// The driver in C signs as the vectors say and verifies; no fault of the bus makes the signature of another message good, nor gives an index
// twice.
void drives(Bench& b, const Key& key, const Signature& good) {
  const Bytes r = good.r(), chains = good.chains(), path = good.path();
  const xmss_part parts[] = {of(r), of(chains), of(path)};
  Bytes other = good.message;
  other[0] ^= 1;
  const xmss_set one{set->mode, set->n, set->lms() ? set->width() : 0, kHeight};
  const xmss_part secret[] = {of(key.secret), of(key.prf), of(key.seed), of(key.root)};
  const xmss_part lms_secret[] = {of(key.secret), of(key.seed), of(key.root)};
  const xmss_part open[] = {of(key.seed), of(key.root)};
  Bytes values(set->n * (set->len + 1));
  Platform<Bench> right{b};
  register_bus bus = right.bus();
  xmss_engine engine;
  b.restart();
  if (xmss_open(&engine, &bus) != DRIVER_OK) fail("the driver finds no engine", b.clk.cycle);
  driver_result loaded = set->lms() ? xmss_load(&engine, one, true, good.index, lms_secret, 3) : xmss_load(&engine, one, true, good.index, secret, 4);
  if (loaded != DRIVER_OK || xmss_prepare(&engine, good.index, 0) != DRIVER_OK) fail("the driver loads no key", loaded);
  if (xmss_sign(&engine, good.index, of(good.message), values.data(), values.size()) != DRIVER_OK) fail("the driver does not sign", b.clk.cycle);
  Bytes wanted = r;
  ref::append(wanted, chains);
  if (values != wanted) fail("the driver signs otherwise", b.clk.cycle);
  if (xmss_sign(&engine, good.index, of(good.message), values.data(), values.size()) != DRIVER_REFUSED) fail("an index signs twice", b.clk.cycle);
  if (xmss_verify(&engine, good.index, of(good.message), parts) != DRIVER_OK) fail("a good signature", b.clk.cycle);
  if (xmss_verify(&engine, good.index, of(other), parts) != DRIVER_BAD) fail("a bad signature", b.clk.cycle);
  Bytes node(set->n);
  if (xmss_node(&engine, 0, good.index ^ 1, node.data()) != DRIVER_OK || node != part(path, 0, set->n)) fail("the driver's leaf", b.clk.cycle);
  each_fault(b, 26, [&](register_bus& faulty, unsigned at) {
    if (xmss_open(&engine, &faulty) != DRIVER_OK || xmss_load(&engine, one, false, 0, open, 2) != DRIVER_OK) return;
    xmss_verify(&engine, good.index, of(good.message), parts);
    if (xmss_verify(&engine, good.index, of(other), parts) == DRIVER_OK) fail("a fault of the bus made a signature good", at);
  });
  b.restart();
  registers(b);
}

}  // namespace

int main() {
  std::map<std::string, Vectors> all = load_vectors();
  for (unsigned stall : {0u, 2u, 5u}) {
    Bench b(stall);
    registers(b);
    {
      set = kSets;
      const auto& [key, signatures] = all[set->name];
      unasked(b, key, signatures[6]);
      if (stall == 0) drives(b, key, signatures[6]);
    }
    for (const Set& one : kSets) {
      set = &one;
      const auto& [key, signatures] = all[set->name];
      both_ways(b, key, signatures[stall % 2], signatures[4]);
      key_apart(b, key, signatures[5]);
    }
    for (const Set& one : kSets) {
      set = &one;
      const auto& [key, signatures] = all[set->name];
      if (stall == 0) nodes(b, key, signatures[4], 3);
      if (stall == 0) gives_way(b, key, signatures[5]);
    }
    set = kSets;
    const auto& [key, signatures] = all[set->name];
    waiting(b, key, signatures[2], signatures[3]);
    wrong(b, key, signatures[11]);
    resets(b, key, signatures[15]);
  }
  Bench b(0);
  registers(b);
  const auto& [key, signatures] = all[set->name];
  b.load(key, 0);
  uint32_t sign = b.sign(signatures[0]), verify = b.verify(signatures[0], kOk);
  report("sign", sign, sign, 1);
  report("verify", verify, verify, 1);
}
