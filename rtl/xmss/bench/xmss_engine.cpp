// SPDX-License-Identifier: Apache-2.0 OR MIT
// The engine on signatures made in software (vectors.txt): signing and verifying, from nothing and prepared, leaves, refused
// signatures, wrong commands and streams, stalls, resets.
//
// Cycles are held against the schedule of the same message: unit time of one compression, CORES units, work and critical path.
#include <algorithm>

#include "../../keccak/bench/sponge.h"
#include "held.h"
#include "vectors.h"
#include "wave.h"

#ifndef OUT_BITS
#define OUT_BITS 64
#endif

namespace {

enum Op { kLoadKey, kLoadPublic, kPrepare, kSign, kVerify, kLeaf, kClear };
enum Status { kOk, kBad, kError };
enum Level { kCold, kPrepared, kTable };
constexpr unsigned kTick = SHAKE ? 24 * CORES / UNROLL : 64 / UNROLL;

// Byte i of a word of the output.
inline uint8_t byte_of(uint64_t word, unsigned i) { return static_cast<uint8_t>(word >> (8 * i)); }
template <class Wide>
uint8_t byte_of(const Wide& words, unsigned i) { return static_cast<uint8_t>(words[i / 4] >> (8 * (i % 4))); }

// A value of the output: a wide word is filled up with zeros.
inline Bytes filled(Bytes value) {
  value.resize((value.size() + OUT_BITS / 8 - 1) / (OUT_BITS / 8) * (OUT_BITS / 8));
  return value;
}

// On a signature, by the status; codes of xmss_control_pkg.
constexpr unsigned kVerdicts[] = {0x96, 0x69, 0x0f};

struct Answer {
  unsigned status;
  unsigned verdict;
  uint32_t cycles;
  std::map<unsigned, Bytes> out;  // by slot
};

struct Engine {
  Clocked sim;
  Random random{CORES * 16 + UNROLL};
  unsigned stall = 0;  // one in `stall` cycles without a word, on both streams
  uint64_t most = 30'000'000;  // cycles of a command

  // A command with its stream: whether `last` stands where it should is the caller's choice.
  Answer run(Op op, uint32_t index, const Bytes& stream, uint64_t length, bool check = false, bool no_last = false, bool table = false) {
    auto& top = *sim.top;
    Answer answer{};
    size_t sent = 0;
    bool commanded = false;
    top.cmd_op_i = op;
    top.cmd_index_i = index;
    top.cmd_mode_i = set->mode;
    top.cmd_octets_i = octets;
    top.cmd_narrow_i = narrow;
    top.cmd_height_i = height;
    top.cmd_length_i = length;
    top.cmd_check_i = check;
    top.cmd_table_i = table;
    top.cmd_idle_i = 0;
    for (uint64_t begin = sim.cycle;; sim.tick()) {
      if (sim.cycle - begin > most) fail("no answer", sim.cycle);
      top.cmd_valid_i = !commanded;
      top.in_valid_i = sent < stream.size() && !(stall && random.one_in(stall));
      uint64_t word = 0;
      for (unsigned i = 0; i < 8 && sent < stream.size(); i++) word |= uint64_t{stream[sent + i]} << (8 * i);
      top.in_data_i = word;
      top.in_last_i = sent + 8 >= stream.size() && !no_last;
      top.out_ready_i = !(stall && random.one_in(stall));
      top.rsp_ready_i = 1;
      sim.look();
      if (top.out_valid_o && top.out_ready_i)
        for (unsigned i = 0; i < OUT_BITS / 8; i++) answer.out[top.out_slot_o].push_back(byte_of(top.out_data_o, i));
      if (top.in_valid_i && top.in_ready_o) sent += 8;
      if (no_last && sent >= stream.size()) return answer;
      if (top.rsp_valid_o && commanded) {
        answer.status = top.rsp_status_o;
        answer.verdict = top.rsp_verdict_o;
        if (answer.verdict != (op == kVerify ? kVerdicts[answer.status] : 0)) fail("verdict", sim.cycle);
        answer.cycles = top.rsp_cycles_o;
        sim.tick();
        return answer;
      }
      if (top.cmd_valid_i && top.cmd_ready_o) commanded = true;
    }
  }

  // Begins a command without a stream and looks away after so many cycles.
  void begin(Op op, uint32_t index, unsigned cycles, bool table = false) {
    auto& top = *sim.top;
    top.cmd_op_i = op;
    top.cmd_index_i = index;
    top.cmd_check_i = 0;
    top.cmd_table_i = table;
    top.cmd_valid_i = 1;
    for (sim.look(); !top.cmd_ready_o; sim.look()) sim.tick();
    sim.tick();
    top.cmd_valid_i = 0;
    for (unsigned i = 0; i < cycles; i++) sim.tick();
  }

  // All that the model holds, with the same inputs whatever was done before.
  std::vector<uint8_t> held() {
    auto& top = *sim.top;
    for (auto* port : {&top.cmd_op_i, &top.cmd_check_i, &top.cmd_table_i, &top.cmd_mode_i, &top.cmd_octets_i, &top.cmd_narrow_i, &top.cmd_height_i, &top.in_last_i}) *port = 0;
    top.cmd_index_i = 0;
    top.cmd_length_i = 0;
    top.in_data_i = 0;
    top.in_valid_i = 0;
    top.out_ready_i = 0;
    top.rsp_ready_i = 0;
    sim.look();
    return Held(top).bytes;
  }

  // How many values of a signature's chains the model holds.
  unsigned found(const Signature& signature) {
    std::vector<uint8_t> all = held();
    unsigned count = 0;
    for (unsigned i = 0; i < set->len; i++) {
      Bytes value = part(signature.chains(), set->n * i, set->n);
      // Words of 32 bits, the lowest byte first.
      for (size_t at = 0; at < value.size(); at += 4) std::reverse(value.begin() + at, value.begin() + at + 4);
      count += std::search(all.begin(), all.end(), value.begin(), value.end()) != all.end();
    }
    return count;
  }

  // A table is erased behind an answer: what is left are values in the registers of the lanes and of the output.
  void gone(const Signature& signature, const char* what) {
    for (unsigned i = 0; i < 1024 + 8; i++) sim.tick();
    if (found(signature) <= CORES + 4) return;
    fprintf(stderr, "a table is left %s\n", what);
    fail("table", sim.cycle);
  }

  unsigned height = kHeight, octets = 0, narrow = 0;

  void load(const Key& key, uint32_t first) {
    expect(run(kLoadKey, first, key.stream(), 0), kOk, "load");
  }

  void expect(const Answer& answer, unsigned status, const char* what) {
    if (answer.status != status) {
      fprintf(stderr, "%s: status %u\n", what, answer.status);
      fail("status", sim.cycle);
    }
  }

  uint32_t prepare(uint32_t index, bool check) {
    Answer answer = run(kPrepare, index, {}, 0, check);
    expect(answer, kOk, "prepare");
    return answer.cycles;
  }

  uint32_t prepare_table(uint32_t index) {
    Answer answer = run(kPrepare, index, {}, 0, false, false, true);
    expect(answer, kOk, "prepare a table");
    return answer.cycles;
  }

  uint32_t sign(const Signature& want) {
    Answer answer = run(kSign, want.index, words(want.message), want.message.size());
    expect(answer, kOk, "sign");
    if (answer.out[kRandomizer] != filled(want.r())) fail("r", sim.cycle);
    for (unsigned i = 0; i < set->len; i++)
      if (answer.out[i] != filled(part(want.chains(), set->n * i, set->n))) fail("chain value", i);
    if (answer.out.size() != set->len + 1) fail("values", answer.out.size());
    return answer.cycles;
  }

  uint32_t verify(const Signature& signature, Status want) {
    Answer answer = run(kVerify, signature.index, signature.stream(), signature.message.size());
    expect(answer, want, "verify");
    if (!answer.out.empty()) fail("output of a verification", sim.cycle);
    return answer.cycles;
  }
};

// ------------------------------------------------------------------ the schedule
// A task of so many compressions one after the other, ready when those it waits for are done; free units take the one with the
// longest way to the end.
struct Task {
  unsigned length;
  std::vector<unsigned> before;
  uint64_t way = 0, ready = 0, done = 0;
  bool placed = false;
};

struct Graph {
  std::vector<Task> tasks;  // before has lower numbers only
  unsigned add(unsigned length, std::vector<unsigned> before) {
    tasks.push_back({length, std::move(before)});
    return static_cast<unsigned>(tasks.size() - 1);
  }
  // A row of compressions, each of its own: units may change between them.
  unsigned row(unsigned count, std::vector<unsigned> before) {
    unsigned last = add(1, std::move(before));
    for (unsigned i = 1; i < count; i++) last = add(1, {last});
    return last;
  }

  uint64_t schedule(unsigned units) {
    std::vector<std::vector<unsigned>> after(tasks.size());
    std::vector<unsigned> waits(tasks.size());
    for (unsigned i = 0; i < tasks.size(); i++) {
      waits[i] = static_cast<unsigned>(tasks[i].before.size());
      for (unsigned b : tasks[i].before) after[b].push_back(i);
    }
    for (unsigned i = static_cast<unsigned>(tasks.size()); i-- > 0;) {
      tasks[i].way = 1;
      for (unsigned a : after[i]) tasks[i].way = std::max(tasks[i].way, tasks[a].way + 1);
    }
    auto less = [&](unsigned x, unsigned y) { return tasks[x].way != tasks[y].way ? tasks[x].way < tasks[y].way : x > y; };
    std::vector<unsigned> ready;
    for (unsigned i = 0; i < tasks.size(); i++)
      if (waits[i] == 0) ready.push_back(i);
    std::make_heap(ready.begin(), ready.end(), less);
    uint64_t time = 0;
    for (size_t left = tasks.size(); left > 0; time++) {
      std::vector<unsigned> now;
      for (unsigned u = 0; u < units && !ready.empty(); u++) {
        std::pop_heap(ready.begin(), ready.end(), less);
        now.push_back(ready.back());
        ready.pop_back();
      }
      left -= now.size();
      for (unsigned i : now)
        for (unsigned a : after[i])
          if (--waits[a] == 0) {
            ready.push_back(a);
            std::push_heap(ready.begin(), ready.end(), less);
          }
    }
    return time;
  }
};

// What is hashed for the digest before the message.
Bytes before_message(const Signature& signature, const Key& key) {
  Bytes all;
  if (set->lms()) {
    all = part(key.seed, 0, 16);
    ref::append(all, ref::number(signature.index, 4));
    ref::append(all, ref::number(0x8181, 2));
    ref::append(all, signature.r());
    return all;
  }
  all = ref::number(2, set->n == 32 ? 32 : 4);
  ref::append(all, signature.r());
  ref::append(all, key.root);
  ref::append(all, ref::number(signature.index, set->n));
  return all;
}

std::vector<unsigned> digits(const Signature& signature, const Key& key) {
  Bytes all = before_message(signature, key);
  ref::append(all, signature.message);
  Bytes digest = SHAKE ? sponge(set->rate / 8, 0x1f, all, set->n) : part(ref::hash(all), 0, set->n);
  std::vector<unsigned> out;
  unsigned sum = 0;
  auto add = [&](unsigned d) {
    out.push_back(d);
    sum += set->last() - d;
  };
  for (uint8_t byte : digest)
    for (unsigned shift = 8; shift > 0;) add(byte >> (shift -= set->width()) & set->last());
  // The checksum ends with the last chain.
  for (size_t left = set->len - out.size(); left-- > 0;) out.push_back(sum >> set->width() * left & set->last());
  return out;
}

// Compressions of the message's hash: all, and those before the message.
unsigned blocks(const Signature& signature, const Key& key) {
  size_t bytes = before_message(signature, key).size() + signature.message.size();
  return static_cast<unsigned>(SHAKE ? bytes / set->rate + 1 : (bytes + 9 + 63) / 64);
}
unsigned ahead(const Signature& signature, const Key& key) {
  return static_cast<unsigned>(before_message(signature, key).size() / (SHAKE ? set->rate : 64));
}

// Compressions of a KEY with its block, of a mask, of a node, of the randomizer, of a secret; of SHAKE each is one permutation.
unsigned key_blocks() { return SHAKE ? 1 : 2; }
unsigned mask_blocks() { return SHAKE || set->n == 32 ? 1 : 2; }
unsigned node_blocks() { return SHAKE ? 1 : 2; }
unsigned random_blocks() { return SHAKE || set->lms() || set->n == 32 ? 1 : 2; }
unsigned secret_blocks() { return SHAKE || set->lms() || set->n == 24 ? 1 : 2; }

// Key and masks of one place; the last task that has them.
std::vector<unsigned> masks(Graph& graph, unsigned count, bool prepared) {
  if (prepared) return {};
  std::vector<unsigned> out = {graph.row(key_blocks(), {})};
  for (unsigned i = 0; i < count; i++) out.push_back(graph.row(mask_blocks(), {}));
  return out;
}

unsigned chain(Graph& graph, unsigned steps, std::vector<unsigned> before, bool prepared) {
  unsigned last = before[0];
  for (unsigned i = 0; i < steps; i++) {
    // On demand: not before the digest is known.
    std::vector<unsigned> needs = {last};
    if (!prepared) {
      needs.push_back(graph.row(key_blocks(), {before.back()}));
      needs.push_back(graph.row(mask_blocks(), {before.back()}));
    }
    last = graph.row(1, needs);
  }
  return last;
}

// Of w = 1 and 2 64 chains go at a time, and the next ones begin when those are over.
constexpr unsigned kWindow = 64;
unsigned windows() { return set->narrow ? (set->len + kWindow - 1) / kWindow : 1; }

// A signature has the windows one after the other, only the first one's secrets beside the message and prepared.
uint64_t narrow_sign_schedule(const Signature& signature, const Key& key, bool prepared) {
  uint64_t sum = 0;
  std::vector<unsigned> all = digits(signature, key);
  for (unsigned at = 0; at < set->len; at += kWindow) {
    Graph graph;
    unsigned digest = at ? 0 : graph.row((prepared ? 0 : random_blocks()) + blocks(signature, key), {});
    for (unsigned i = at; i < std::min(at + kWindow, set->len); i++) {
      std::vector<unsigned> before;
      if (!prepared || at) before.push_back(graph.row(secret_blocks(), {}));
      if (!at) before.push_back(digest);
      if (all[i] > 0) chain(graph, all[i], before, true);
    }
    sum += graph.schedule(CORES);
  }
  return sum;
}

uint64_t sign_schedule(const Signature& signature, const Key& key, bool prepared) {
  if (set->narrow) return narrow_sign_schedule(signature, key, prepared);
  Graph graph;
  unsigned all = blocks(signature, key), begun = ahead(signature, key);
  unsigned digest = graph.row(prepared ? all - begun : random_blocks() + all, {});
  for (unsigned d : digits(signature, key)) {
    std::vector<unsigned> before;
    if (!prepared) before.push_back(graph.row(secret_blocks(), {}));
    before.push_back(digest);
    if (d > 0) chain(graph, d, before, prepared || set->lms());
  }
  return graph.schedule(CORES);
}

// The one-time public key's hash takes the ends in their order, then come the leaf and the path.
uint64_t lms_verify_schedule(const Signature& signature, const Key& key) {
  Graph graph;
  unsigned digest = graph.row(blocks(signature, key), {}), i = 0, last = digest;
  std::vector<std::vector<unsigned>> needs((22 + set->n * set->len + 9 + 63) / 64);
  size_t hashed = 0;
  auto hash_ends = [&](size_t to) {
    for (; hashed < to; hashed++) {
      needs[hashed].push_back(last);
      last = graph.row(1, needs[hashed]);
    }
  };
  unsigned begin = digest;
  for (unsigned d : digits(signature, key)) {
    size_t from = 22 + set->n * i;
    // The window before is over when its last end is taken into a block.
    if (set->narrow && i && i % kWindow == 0) {
      hash_ends(from / 64);
      begin = last;
    }
    unsigned end = d == set->last() ? begin : chain(graph, set->last() - d, {begin}, true);
    for (size_t block = from / 64; block <= (from + set->n - 1) / 64; block++) needs[block].push_back(end);
    i++;
  }
  hash_ends(needs.size());
  graph.row(1 + 2 * kHeight, {last});
  return graph.schedule(CORES);
}

uint64_t verify_schedule(const Signature& signature, const Key& key, bool prepared) {
  if (set->lms()) return lms_verify_schedule(signature, key);
  Graph graph;
  unsigned digest = graph.row(blocks(signature, key), {});
  std::vector<unsigned> row;
  for (unsigned d : digits(signature, key)) row.push_back(chain(graph, 15 - d, {digest}, prepared));
  auto join = [&](std::vector<unsigned> children) {
    for (unsigned mask : masks(graph, 2, prepared)) children.push_back(mask);
    return graph.row(node_blocks(), children);
  };
  while (row.size() > 1) {
    std::vector<unsigned> above;
    for (size_t i = 0; i + 1 < row.size(); i += 2) above.push_back(join({row[i], row[i + 1]}));
    if (row.size() % 2) above.push_back(row.back());
    row = above;
  }
  for (unsigned i = 0; i < kHeight; i++) row[0] = join({row[0]});
  return graph.schedule(CORES);
}

// ------------------------------------------------------------------ what is checked
struct Mean {
  uint64_t sum = 0, most = 0, count = 0;
  void add(uint64_t cycles) {
    sum += cycles;
    most = std::max(most, cycles);
    count++;
  }
};

// The registers between a result, the scheduler, the memories and the lanes cost four cycles each time that a hash waits for the one
// before. Pieces of one chain, and behind the chains of a verification its nodes, with LMS the blocks of the ends too.
constexpr unsigned kStages = 4;
unsigned pieces() { return set->last() / 4; }
// A window begins with its digits and its first secrets or values, and ends with the values that leave.
uint64_t between() { return uint64_t{windows() - 1} * 64; }
unsigned upward() {
  if (set->lms()) return (22 + set->n * set->len + 9 + 63) / 64 + 1 + 2 * kHeight;
  unsigned rows = 0;
  for (unsigned width = set->len; width > 1; width = (width + 1) / 2) rows++;
  return rows + kHeight;
}

// Five in a hundred, 100 cycles, and the registers.
void hold(const char* what, uint64_t cycles, uint64_t schedule, unsigned waits) {
  uint64_t want = schedule * kTick;
  uint64_t slack = want / 20 + 100 + kStages * waits + between();
  if (cycles > want + slack || cycles + slack < want) {
    fprintf(stderr, "%s: %llu cycles, the schedule has %llu\n", what, static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(want));
    fail("cycles off the schedule", cycles);
  }
}

// From a table: the rest of the message's hash, then a value for each chain, in four words or three, or in one word every three
// cycles. Eight cycles for the first block, seven behind each, 16 for the command, the digits, r and the answer.
void table(Engine& engine, const Key& key, const Signature& signature, Mean means[2]) {
  engine.load(key, signature.index);
  if (!set->tables()) return engine.expect(engine.run(kPrepare, signature.index, {}, 0, false, false, true), kError, "a table of a set that has none");
  means[1].add(engine.prepare_table(signature.index));
  uint32_t cycles = engine.sign(signature);
  means[0].add(cycles);
  unsigned hashes = blocks(signature, key) - ahead(signature, key);
  unsigned most = hashes * (kTick + 7) + 24 + set->len * std::max(3u, set->n * 8 / OUT_BITS);
  if (cycles > most || cycles + 40 < most) {
    fprintf(stderr, "%s: %u cycles from a table, %u at most\n", set->name, cycles, most);
    fail("cycles of a table", cycles);
  }
}

void measure(Engine& engine, const Key& key, const Signature& signature, Mean means[4]) {
  uint32_t cycles[4];
  engine.load(key, signature.index);
  cycles[0] = engine.sign(signature);
  cycles[2] = engine.verify(signature, kOk);
  engine.load(key, signature.index);
  engine.prepare(signature.index, false);
  cycles[1] = engine.sign(signature);
  engine.prepare(signature.index, true);
  cycles[3] = engine.verify(signature, kOk);
  for (unsigned i = 0; i < 4; i++) means[i].add(cycles[i]);
  hold("sign cold", cycles[0], sign_schedule(signature, key, false), pieces());
  hold("sign prepared", cycles[1], sign_schedule(signature, key, true), pieces());
  // This takes more for some messages (README.md): it is only measured.
  if (CORES == 8 && set->mode == 2 && set->width() == 4) return;
  hold("verify cold", cycles[2], verify_schedule(signature, key, false), pieces() + upward());
  hold("verify prepared", cycles[3], verify_schedule(signature, key, true), pieces() + upward());
}

void lengths(Engine& engine, const Key& key, const std::vector<Signature>& signatures) {
  for (const Signature& signature : signatures) {
    engine.load(key, signature.index);
    engine.sign(signature);
    engine.verify(signature, kOk);
  }
}

void refused(Engine& engine, const Signature& good) {
  for (size_t at : {size_t{set->head()}, size_t{set->head() + 36}, good.path_at() - set->gap() - 1, good.path_at() + 5, good.bytes.size() - 1}) {
    Signature bad = good;
    bad.bytes[at] ^= 1 << (at % 8);
    engine.verify(bad, kBad);
  }
  Signature other = good;
  other.index++;
  engine.verify(other, kBad);
  other = good;
  other.message[0] ^= 1;
  engine.verify(other, kBad);
  engine.verify(good, kOk);
}

// No index signs that lies below the first one of the load, or below one that has signed; none beyond the tree.
void once_each(Engine& engine, const Key& key, const Signature& good) {
  const uint32_t top = (1 << kHeight) - 1;
  Bytes message = words(good.message);
  auto refused = [&](uint32_t index) {
    for (Op op : {kSign, kPrepare}) {
      Answer answer = engine.run(op, index, op == kSign ? message : Bytes{}, op == kSign ? good.message.size() : 0);
      engine.expect(answer, kError, "an index that may not sign");
      if (!answer.out.empty()) fail("output of a refused command", index);
    }
  };
  auto below = [&](uint32_t index) {
    for (uint32_t bit = 1; bit <= top; bit <<= 1)
      if (index & bit) refused(index ^ bit);
    if (index) refused(index - 1);
    refused(0);
  };
  auto beyond = [&] {
    for (uint32_t index : {top + 1, top + 1 + good.index, 1u << 31, ~0u}) refused(index);
  };
  engine.load(key, good.index);
  below(good.index);
  beyond();
  engine.sign(good);
  refused(good.index);
  below(good.index);
  Answer answer = engine.run(kSign, top, message, good.message.size());
  engine.expect(answer, kOk, "the last index");
  for (uint32_t index : {top, top - 1, good.index, good.index + 1}) refused(index);
  below(top);
  beyond();
  engine.load(key, good.index);
  engine.sign(good);
}

void wrong(Engine& engine, const Key& key, const Signature& good) {
  auto error = [&](const Answer& answer, const char* what) { engine.expect(answer, kError, what); };
  Bytes whole = good.stream(), message = words(good.message);
  engine.load(key, good.index);
  error(engine.run(kVerify, good.index, part(whole, 0, whole.size() - 8), good.message.size()), "short stream");
  error(engine.run(kVerify, good.index, part(whole, 0, 8), good.message.size()), "very short stream");
  Bytes longer = whole;
  ref::append(longer, Bytes(16));
  error(engine.run(kVerify, good.index, longer, good.message.size()), "long stream");
  for (unsigned bit : {16, 31, 32, 59}) error(engine.run(kVerify, good.index, whole, good.message.size() + (uint64_t{1} << bit)), "short long message");
  error(engine.run(kVerify, 1 << kHeight, whole, good.message.size()), "index beyond the tree");
  engine.verify(good, kOk);
  error(engine.run(kSign, good.index, message, good.message.size() - 8), "long message");
  error(engine.run(kSign, good.index, message, good.message.size()), "an index that a signature was begun with");
  error(engine.run(kPrepare, good.index, {}, 0), "to prepare a used index");
  once_each(engine, key, good);
  error(engine.run(static_cast<Op>(8), 0, {}, 0), "no such command");
  engine.height = 0;
  error(engine.run(kLoadPublic, 0, Bytes(64), 0), "a tree without height");
  engine.height = kHeight;
  engine.octets = 1;
  error(engine.run(kLoadPublic, 0, Bytes(64), 0), "XMSS with digits of eight bits");
  engine.octets = 0;
  engine.narrow = 1;
  error(engine.run(kLoadPublic, 0, Bytes(64), 0), "XMSS with digits of two bits");
  if (!NARROW && !SHAKE) {
    constexpr Set kNone = {"", 2, 0, 32, 133, 0, 1};
    set = &kNone;
    for (engine.octets = 0; engine.octets < 2; engine.octets++) error(engine.run(kLoadPublic, 0, Bytes(64), 0), "LMS with w = 1 or 2");
    set = kSets;
  }
  engine.octets = engine.narrow = 0;
  if (SHAKE) {
    constexpr Set kNone = {"", 3, 0, 24, 51};
    set = &kNone;
    error(engine.run(kLoadPublic, 0, Bytes(48), 0), "a mode that is none of the sets");
    set = kSets;
  }
  engine.height = 21;
  error(engine.run(kLoadPublic, 0, Bytes(64), 0), "too high a tree");
  engine.height = kHeight;
  Bytes pub = key.seed;
  ref::append(pub, key.root);
  error(engine.run(kLoadPublic, 0, part(pub, 0, 56), 0), "short key");
  error(engine.run(kVerify, good.index, whole, good.message.size()), "no key after a key that failed");
  engine.expect(engine.run(kLoadPublic, 0, pub, 0), kOk, "public key");
  engine.verify(good, kOk);
  error(engine.run(kSign, good.index, message, good.message.size()), "signing with a public key");
  error(engine.run(kLeaf, 0, {}, 0), "leaf of a public key");
  engine.expect(engine.run(kClear, 0, {}, 0), kOk, "clear");
  error(engine.run(kVerify, good.index, whole, good.message.size()), "cleared");
}

void resets(Engine& engine, const Key& key, const Signature& good) {
  for (unsigned i = 0; i < 4; i++) {
    engine.load(key, good.index);
    engine.prepare(good.index, i & 1);
    Bytes whole = good.stream();
    size_t cut = 8 * (1 + engine.random.next() % (whole.size() / 8 - 1));
    engine.run(kVerify, good.index, part(whole, 0, cut), good.message.size(), false, true);
    engine.sim.reset(1 + i);
    engine.expect(engine.run(kSign, good.index, words(good.message), good.message.size()), kError, "key after reset");
    engine.load(key, good.index);
    engine.sign(good);
    engine.verify(good, kOk);
  }
}

// Nothing is left of a key after CmdClear, `zeroize_i` or a reset, whatever was done with it: engines that have worked with different
// keys and sets hold the same in every register and memory.
enum Way { kByClear, kByPin, kByReset };
constexpr unsigned kWipe = 1024 + 64;

std::vector<uint8_t> left(const Vectors& vectors, Way way, unsigned cycles) {
  Clocked::models = 0;  // the same before the reset: some bits of a model are driven by nothing
  Engine engine;
  engine.octets = set->octets;
  engine.narrow = set->narrow;
  engine.sim.reset();
  const Signature& signature = vectors.signatures[0];
  engine.load(vectors.key, signature.index);
  engine.sign(signature);
  engine.expect(engine.run(kLeaf, 1, {}, 0), kOk, "leaf");
  if (way == kByClear) engine.prepare(signature.index + 1, false);
  if (way == kByClear && set->tables()) engine.prepare_table(signature.index + 1);
  if (way != kByClear) engine.begin(kPrepare, signature.index + 1, cycles, way == kByPin && set->tables());
  if (way == kByClear) engine.expect(engine.run(kClear, 0, {}, 0), kOk, "clear");
  if (way == kByReset) engine.sim.reset(1);
  if (way == kByPin) {
    engine.sim.top->zeroize_i = 1;
    engine.sim.tick();
    engine.sim.top->zeroize_i = 0;
  }
  if (way != kByClear)
    for (unsigned i = 0; i < kWipe; i++) engine.sim.tick();
  return engine.held();
}

void forgets(std::map<std::string, Vectors>& all) {
  for (Way way : {kByClear, kByPin, kByReset}) {
    std::vector<uint8_t> none;
    for (const Set& each : kSets) {
      if (each.octets && !each.narrow) continue;
      set = &each;
      std::vector<uint8_t> found = left(all[each.name], way, 200 + 97 * static_cast<unsigned>(&each - kSets));
      if (none.empty()) none = found;
      if (found != none) fail("something is left of a key", way);
    }
  }
  set = kSets;
}

// A row, with the set's name. An engine for w = 1 and 2 has the cycles of others with the sets of these.
void row(const char* op, const char* level, uint64_t cycles, uint64_t most) {
  if (NARROW && !set->narrow) return;  // as without
  std::string with = *level ? std::string("\"level\":\"") + level + "\"," : "";
  printf("{\"op\":\"%s\",\"alg\":\"%s\",%s\"cycles\":%llu,\"cycles_max\":%llu,\"in_flight\":1}\n", op, set->name, with.c_str(),
         static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(most));
}

// The path of an even index begins with the leaf beside it.
void leaf(Engine& engine, const Key& key, const Signature& good) {
  engine.load(key, 0);
  Answer answer = engine.run(kLeaf, good.index ^ 1, {}, 0);
  engine.expect(answer, kOk, "leaf");
  if (answer.out.size() != 1 || answer.out[0] != filled(part(good.path(), 0, set->n))) fail("leaf", engine.sim.cycle);
  row("leaf", "", answer.cycles, answer.cycles);
}

void stalls(Engine& engine, const Key& key, const Signature& good) {
  for (unsigned stall : {2u, 5u}) {
    engine.stall = stall;
    engine.load(key, good.index);
    engine.prepare(good.index, false);
    engine.sign(good);
    engine.load(key, good.index);
    if (set->tables()) engine.prepare_table(good.index);
    engine.sign(good);
    engine.verify(good, kOk);
    engine.prepare(good.index, true);
    engine.verify(good, kOk);
  }
  engine.stall = 0;
}

// The cycles of the first few signatures.
void several(Engine& engine, const Key& key, const std::vector<Signature>& signatures, unsigned count) {
  Mean means[4], tables[2];
  for (unsigned i = 0; i < count; i++) {
    measure(engine, key, signatures[i], means);
    table(engine, key, signatures[i], tables);
  }
  for (unsigned i = 0; i < 4; i++) row(i < 2 ? "sign" : "verify", i % 2 ? "prepared" : "cold", means[i].sum / means[i].count, means[i].most);
  if (!set->tables()) return;
  row("sign", "chain-table", tables[0].sum / tables[0].count, tables[0].most);
  row("prepare", "chain-table", tables[1].sum / tables[1].count, tables[1].most);
}

// A table is for one signature of its index, and nothing reads it after another command.
void once(Engine& engine, const Key& key, const Signature& good) {
  Bytes message = words(good.message);
  auto refused = [&](const Answer& answer, const char* what) {
    engine.expect(answer, kError, what);
    if (!answer.out.empty()) fail("output of a refused command", engine.sim.cycle);
  };
  auto sign = [&](uint32_t index, const Bytes& stream) { return engine.run(kSign, index, stream, good.message.size()); };
  engine.load(key, good.index);
  engine.prepare_table(good.index);
  if (!VM_COVERAGE && engine.found(good) != set->len) fail("a table without values", engine.sim.cycle);
  engine.sign(good);
  engine.gone(good, "after its signature");
  refused(sign(good.index, message), "a second signature of a table");
  refused(engine.run(kPrepare, good.index, {}, 0, false, false, true), "a table of a used index");
  // The index is used up though nothing came out.
  engine.load(key, good.index);
  engine.prepare_table(good.index);
  refused(sign(good.index, part(message, 0, message.size() - 8)), "a table and a short message");
  engine.gone(good, "after a message that was refused");
  refused(sign(good.index, message), "a table after a message that was refused");
  // Others sign from nothing, and the table is gone then too.
  engine.load(key, good.index);
  engine.prepare_table(good.index + 1);
  engine.sign(good);
  engine.gone(good, "after a signature of another index");
  engine.load(key, good.index);
  engine.prepare_table(good.index);
  engine.verify(good, kOk);
  engine.sign(good);
  engine.gone(good, "after a signature that did not read it");
  engine.load(key, good.index);
  refused(engine.run(kPrepare, good.index, {}, 0, true, false, true), "a table for a verification");
  refused(engine.run(kPrepare, 1 << kHeight, {}, 0, false, false, true), "a table beyond the tree");
  engine.sign(good);
}

// Other keys: a fault that the bits of one key hide shows with the bits of another.
void others(Engine& engine) {
  const auto all = load_keys();
  for (const Set& each : kSets) {
    if (each.narrow) continue;
    set = &each;
    engine.octets = each.octets;
    const std::vector<Vectors>& keys = all.at(each.name);
    if (keys.size() != 4) fail("keys of vectors.txt", keys.size());
    for (size_t i = 1; i < keys.size(); i++) {
      const auto& [key, signatures] = keys[i];
      engine.load(key, signatures[0].index);
      engine.sign(signatures[0]);
      engine.verify(signatures[0], kOk);
    }
  }
  set = kSets;
  engine.octets = 0;
}

// A key and a signature of each set: what a bench does that runs with each mutant.
int some(std::map<std::string, Vectors>& all) {
  Engine engine;
  engine.most = 1'000'000;
  engine.sim.reset();
  for (const Set& each : kSets) {
    set = &each;
    engine.octets = each.octets;
    const auto& [key, signatures] = all[each.name];
    const Signature& good = signatures[0];
    engine.load(key, good.index);
    engine.sign(good);
    engine.verify(good, kOk);
    Signature bad = good;
    bad.bytes[good.path_at() + 5] ^= 1;
    engine.verify(bad, kBad);
    if (each.octets) continue;
    Mean means[2];
    table(engine, key, signatures[1], means);
    engine.stall = 3;
    engine.load(key, signatures[2].index);
    engine.prepare(signatures[2].index, false);
    engine.sign(signatures[2]);
    engine.prepare(signatures[2].index, true);
    engine.verify(signatures[2], kOk);
    engine.stall = 0;
    if (each.lms()) leaf(engine, key, good);
    lengths(engine, key, {signatures.back()});  // of another length, under a higher index
  }
  set = kSets;
  engine.octets = 0;
  wrong(engine, all[set->name].key, all[set->name].signatures[4]);
  return 0;
}

// A leaf of the tree, of a key that is loaded.
int wave(const Key& key) {
  Engine engine;
  auto& top = *engine.sim.top;
  engine.sim.reset();
  engine.load(key, 0);
  Wave wave;
  wave.bit("cmd_valid_i", [&] { return top.cmd_valid_i; });
  wave.bit("cmd_ready_o", [&] { return top.cmd_ready_o; });
  wave.bus("cmd_op_i", [&] { return top.cmd_op_i; }, [&] { return top.cmd_valid_i; });
  wave.space();
  wave.bit("out_valid_o", [&] { return top.out_valid_o; });
  wave.bit("out_ready_i", [&] { return top.out_ready_i; });
  wave.bus("out_slot_o", [&] { return top.out_slot_o; }, [&] { return top.out_valid_o; });
  wave.bit("out_last_o", [&] { return top.out_valid_o && top.out_last_o; });
  wave.space();
  wave.bit("rsp_valid_o", [&] { return top.rsp_valid_o; });
  wave.bit("rsp_ready_i", [&] { return top.rsp_ready_i; });
  wave.bus("rsp_status_o", [&] { return top.rsp_status_o; }, [&] { return top.rsp_valid_o; });
  engine.sim.watch = [&] { wave.sample(); };
  engine.expect(engine.run(kLeaf, 0, {}, 0), kOk, "leaf");
  wave.print("xmss_engine: a leaf of the tree, whose value leaves in four words");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, Vectors> all = load_vectors();
  const auto& [key, signatures] = all[set->name];
  if (argc > 1 && std::string(argv[1]) == "wave") return wave(key);
  if (getenv("HASTEN_SHORT") != nullptr) return some(all);
  if (signatures.size() != 16) fail("vectors.txt", 0);
  Engine engine;
  engine.sim.reset();
  several(engine, key, signatures, NARROW ? 1 : 8);
  leaf(engine, key, signatures[2]);
  for (const Set& other : kSets) {
    set = &other;
    engine.octets = other.octets;
    engine.narrow = other.narrow;
    if (set == kSets) continue;
    const auto& [own, theirs] = all[set->name];
    const unsigned measured = SHAKE ? 2 : !NARROW ? 8 : other.narrow ? 4 : 1;
    several(engine, own, theirs, measured);
    if (CORES * UNROLL < 4 || (NARROW && !other.narrow)) continue;
    lengths(engine, own, {theirs.begin() + measured, theirs.end()});
    engine.load(own, 0);
    refused(engine, theirs[0]);
    leaf(engine, own, theirs[1]);
    if (other.narrow) stalls(engine, own, theirs[5]);
    if (other.narrow) resets(engine, own, theirs[1]);
  }
  set = kSets;
  engine.octets = engine.narrow = 0;
  if (CORES * UNROLL >= 4) {
    lengths(engine, key, {signatures.begin() + 8, signatures.end()});
    engine.load(key, 0);
    refused(engine, signatures[3]);
    once(engine, key, signatures[4]);
    wrong(engine, key, signatures[4]);
    stalls(engine, key, signatures[5]);
    resets(engine, key, signatures[6]);
    others(engine);
    forgets(all);
  }
}
