// SPDX-License-Identifier: Apache-2.0 OR MIT
// ed25519 at any parameter point on cases made with another implementation (vectors.txt, or the file in HASTEN_CASES):
// at full speed, with random stalls, and after a reset in the middle of an operation.
#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cases.h"
#include "clocked.h"
#include "wave.h"

#ifndef LANES
#define LANES 1
#endif
#ifndef HALF_SIZE
#define HALF_SIZE 0
#endif

namespace {

// Field `lane` of `width` bits in a port that holds one for each lane.
template <typename Port>
uint64_t get(const Port& port, unsigned lane, unsigned width) {
  if constexpr (std::is_integral_v<Port>) {
    return width == 64 ? port : static_cast<uint64_t>(port) >> (lane * width) & ((1ull << width) - 1);
  } else {
    return port[2 * lane] | static_cast<uint64_t>(port[2 * lane + 1]) << 32;  // 64-bit fields
  }
}
template <typename Port>
void put(Port& port, unsigned lane, unsigned width, uint64_t value) {
  if constexpr (std::is_integral_v<Port>) {
    uint64_t mask = (width == 64 ? ~0ull : (1ull << width) - 1) << (lane * width);
    port = static_cast<Port>((port & ~mask) | (value << (lane * width) & mask));
  } else {
    port[2 * lane] = static_cast<uint32_t>(value);
    port[2 * lane + 1] = static_cast<uint32_t>(value >> 32);
  }
}

// A verification with half-size scalars: at latency 2, and of eight in flight at any.
constexpr uint64_t kVerify = 2500;

struct Result {
  uint8_t verdict = kNone;
  uint64_t cycles = 0;
  std::vector<uint64_t> out;
};

// The streams of one lane.
struct Lane {
  const Case* work = nullptr;
  Result result;
  size_t next = 0, next_key = 0;
  bool accepted = false, offered = false, key_offered = false, done = false;
  uint64_t start = 0, last = 0;
};

struct Bench {
  Clocked clk;
  Random random{7};
  Lane lanes[LANES];
  // The seeds of the keys that the lanes hold.
  std::vector<uint64_t> held[LANES];

  void idle() {
    clk.top->cmd_valid_i = 0;
    clk.top->key_valid_i = 0;
    clk.top->in_valid_i = 0;
    clk.top->out_ready_i = 0;
    clk.top->rsp_ready_i = 0;
  }

  void begin(unsigned i, const Case& c) {
    lanes[i] = Lane{};
    lanes[i].work = &c;
  }

  void drive(unsigned i, unsigned stall) {
    auto free = [&] { return stall == 0 || !random.one_in(stall); };
    auto& top = *clk.top;
    Lane& lane = lanes[i];
    bool active = lane.work != nullptr && !lane.done;
    put(top.cmd_valid_i, i, 1, active && !lane.accepted);
    if (active) put(top.cmd_op_i, i, 2, lane.work->op);
    lane.offered = active && lane.accepted && lane.next < lane.work->in.size() && (lane.offered || free());
    put(top.in_valid_i, i, 1, lane.offered);
    if (lane.offered) {
      put(top.in_data_i, i, 64, lane.work->in[lane.next].data);
      put(top.in_bytes_i, i, 4, lane.work->in[lane.next].bytes);
      put(top.in_last_i, i, 1, lane.work->in[lane.next].last);
    }
    // A signature takes no word of a key.
    lane.key_offered = active && lane.accepted && lane.next_key < (lane.work->op == 0 ? 4 : 1) && (lane.key_offered || free());
    put(top.key_valid_i, i, 1, lane.key_offered);
    if (lane.key_offered) put(top.key_data_i, i, 64, lane.work->op == 0 ? lane.work->seed[lane.next_key] : 0x5a5a);
    put(top.out_ready_i, i, 1, active && free());
    put(top.rsp_ready_i, i, 1, active && free());
  }

  void observe(unsigned i) {
    auto& top = *clk.top;
    Lane& lane = lanes[i];
    if (lane.work == nullptr || lane.done) return;
    if (!lane.accepted && get(top.cmd_ready_o, i, 1)) {
      lane.accepted = true;
      lane.start = clk.cycle;
    }
    if (lane.offered && get(top.in_ready_o, i, 1)) {
      lane.next++;
      lane.offered = false;
    }
    if (lane.key_offered && get(top.key_ready_o, i, 1)) {
      if (lane.work->op != 0) fail("a word of a key was taken", clk.cycle);
      lane.next_key++;
      lane.key_offered = false;
    }
    if (get(top.out_valid_o, i, 1) && get(top.out_ready_i, i, 1)) {
      lane.result.out.push_back(get(top.out_data_o, i, 64));
      lane.last = clk.cycle;
    }
    if (get(top.rsp_valid_o, i, 1) && get(top.rsp_ready_i, i, 1)) {
      lane.result.verdict = static_cast<uint8_t>(get(top.rsp_verdict_o, i, 8));
      if (lane.work->op == 0) held[i] = lane.work->seed;
      lane.result.cycles = (lane.work->op == 2 ? clk.cycle : lane.last) - lane.start;
      lane.done = true;
    }
  }

  // One cycle of all lanes, each handshake held back with chance 1/stall (0: never); true if a product was issued.
  bool step(unsigned stall) {
    for (unsigned i = 0; i < LANES; i++) drive(i, stall);
    clk.look();
    for (unsigned i = 0; i < LANES; i++) observe(i);
    bool busy = clk.top->mul_busy_o;
    clk.tick();
    return busy;
  }

  // Runs an operation on a lane; gives up after `limit` cycles.
  Result run(const Case& c, unsigned stall, uint64_t limit, unsigned i = 0) {
    if (c.op == 1) hold(c, i);
    begin(i, c);
    for (uint64_t begun = clk.cycle; !lanes[i].done && clk.cycle - begun < limit;) step(stall);
    lanes[i].work = nullptr;
    idle();
    return lanes[i].result;
  }

  // Has a lane make the key that signs this case, where it holds another one.
  void hold(const Case& c, unsigned i) {
    if (held[i] == c.seed) return;
    Case key;
    key.ok = 1;
    key.seed = c.seed;
    if (run(key, 0, 200000, i).verdict != kDone || !get(clk.top->key_held_o, i, 1)) fail("no key", clk.cycle);
  }

  // Nothing is held after a reset.
  void reset(int cycles = 2) {
    clk.reset(cycles);
    for (auto& seed : held) seed.clear();
  }

  void compare(const Case& c, const Result& r) {
    if (r.verdict == c.verdict() && r.out == c.out) return;
    fprintf(stderr, "op %u, %s: ", c.op, c.name.c_str());
    fail(r.verdict != c.verdict() ? "wrong verdict" : "wrong output", clk.cycle);
  }

  Result check(const Case& c, unsigned stall) {
    Result r = run(c, stall, 200000);
    compare(c, r);
    return r;
  }

  // Wipes lane 0, or all, `zeroize` cycles into an operation: meanwhile nothing is taken or shown, and a clear is answered.
  void forget(const Case& c, uint64_t zeroize) {
    auto& top = *clk.top;
    if (zeroize > 0) run(c, 0, zeroize);
    uint64_t limit = clk.cycle + 100;
    while (zeroize == 0 && !get(top.cmd_ready_o, 0, 1)) clk.tick(), clk.look();
    put(top.cmd_valid_i, 0, 1, zeroize == 0);
    put(top.cmd_op_i, 0, 2, 3);
    top.zeroize_i = zeroize > 0;
    clk.tick();
    top.zeroize_i = 0;
    put(top.cmd_op_i, 0, 2, 0);
    put(top.cmd_valid_i, 0, 1, 0);
    put(top.in_valid_i, 0, 1, 1);
    put(top.key_valid_i, 0, 1, 1);
    put(top.out_ready_i, 0, 1, 1);
    held[0].clear();
    if (zeroize > 0)
      for (auto& seed : held) seed.clear();
    clk.look();
    if (!get(top.wiping_o, 0, 1)) fail("no wiping", clk.cycle);
    for (; get(top.wiping_o, 0, 1); clk.tick(), clk.look()) {
      bool open = get(top.cmd_ready_o, 0, 1) || get(top.key_ready_o, 0, 1) || get(top.in_ready_o, 0, 1) || get(top.out_valid_o, 0, 1) || get(top.rsp_valid_o, 0, 1);
      if (open) fail("a lane that is wiped takes or shows something", clk.cycle);
      if (clk.cycle > limit) fail("the wiping does not end", clk.cycle);
    }
    idle();
    if (get(top.key_held_o, 0, 1)) fail("a key is held after the wiping", clk.cycle);
    if (get(top.rsp_valid_o, 0, 1) != (zeroize == 0)) fail("a wrong answer after the wiping", clk.cycle);
    if (zeroize > 0) return;
    if (get(top.rsp_verdict_o, 0, 8) != kDone) fail("a clear is not done", clk.cycle);
    put(top.rsp_ready_i, 0, 1, 1);
    clk.tick();
    idle();
  }

  // Without a key a signature is refused, and takes nothing.
  void refuses(const Case& c) {
    begin(0, c);
    while (!lanes[0].done) step(0);
    if (lanes[0].result.verdict != kRefused || lanes[0].next != 0 || !lanes[0].result.out.empty()) fail("it signs without a key", clk.cycle);
    lanes[0].work = nullptr;
    idle();
  }

  // All lanes busy with the cases in turn; average cycles from one operation of a lane to its next, and products per 1000 cycles.
  std::pair<uint64_t, uint64_t> saturate(const std::vector<const Case*>& cases, unsigned rounds) {
    size_t next = 0;
    uint64_t finished = 0, products = 0, begun = clk.cycle, first = 0, counted = 0;
    // A lane signs with the one key that it holds.
    bool signs = cases[0]->op == 1;
    for (unsigned i = 0; i < LANES && signs; i++) hold(*cases[i % cases.size()], i);
    for (unsigned i = 0; i < LANES; i++) begin(i, *cases[next++ % cases.size()]);
    while (finished < uint64_t{rounds} * LANES) {
      products += step(0);
      for (unsigned i = 0; i < LANES; i++) {
        if (!lanes[i].done) continue;
        compare(*lanes[i].work, lanes[i].result);
        finished++;
        begin(i, *cases[(signs ? i : next++) % cases.size()]);
        // From the end of the first round on.
        if (finished == LANES) begun = clk.cycle, first = finished, products = 0;
        counted = finished - first;
      }
    }
    uint64_t cycles = clk.cycle - begun;
    for (Lane& lane : lanes) lane.work = nullptr;
    reset();
    return {cycles * LANES / counted, 1000 * products / cycles};
  }
};

// The wiping after a reset, and the first key generation of the cases.
int wave(const std::vector<Case>& cases) {
  Bench bench;
  Vtop& top = *bench.clk.top;
  Wave wave;
  wave.bit("wiping_o", [&] { return get(top.wiping_o, 0, 1); });
  wave.space();
  wave.bit("cmd_valid_i", [&] { return get(top.cmd_valid_i, 0, 1); });
  wave.bit("cmd_ready_o", [&] { return get(top.cmd_ready_o, 0, 1); });
  wave.bus("cmd_op_i", [&] { return get(top.cmd_op_i, 0, 2); }, [&] { return get(top.cmd_valid_i, 0, 1); });
  wave.space();
  wave.bit("key_valid_i", [&] { return get(top.key_valid_i, 0, 1); });
  wave.bit("key_ready_o", [&] { return get(top.key_ready_o, 0, 1); });
  wave.bit("key_held_o", [&] { return get(top.key_held_o, 0, 1); });
  wave.space();
  wave.bit("out_valid_o", [&] { return get(top.out_valid_o, 0, 1); });
  wave.bit("out_ready_i", [&] { return get(top.out_ready_i, 0, 1); });
  wave.bit("out_last_o", [&] { return get(top.out_valid_o, 0, 1) && get(top.out_last_o, 0, 1); });
  wave.space();
  wave.bit("rsp_valid_o", [&] { return get(top.rsp_valid_o, 0, 1); });
  wave.bit("rsp_ready_i", [&] { return get(top.rsp_ready_i, 0, 1); });
  wave.bus("rsp_verdict_o", [&] { return get(top.rsp_verdict_o, 0, 8); }, [&] { return get(top.rsp_valid_o, 0, 1); });
  bench.idle();
  bench.reset();
  bench.clk.watch = [&] { wave.sample(); };
  for (const Case& c : cases) {
    if (c.op != 0) continue;
    bench.check(c, 0);
    bench.clk.tick();
    wave.print("ed25519: a seed in four words, and the public key in four; the key stays");
    return 0;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = getenv("HASTEN_CASES");
  std::vector<Case> cases = load(path ? path : "rtl/ed25519/bench/vectors.txt");
  if (argc > 1 && std::string(argv[1]) == "wave") return wave(cases);
  Bench bench;
  bench.idle();
  bench.reset();
  for (const Case& c : cases) {
    if (c.op != 1) continue;
    bench.refuses(c);
    break;
  }
  const char* names[] = {"keygen", "sign", "verify"};
  uint64_t checked[3] = {}, count[3] = {}, total[3] = {}, most[3] = {}, least[3] = {~0ull, ~0ull, ~0ull};
  // A short form for what runs the bench with faults: one case of five, which is one of each kind in turn.
  const size_t sparse = getenv("HASTEN_SHORT") ? 5 : 1;
  for (size_t i = 0; i < cases.size(); i += sparse) {
    const Case& c = cases[i];
    Result r = bench.check(c, 0);
    checked[c.op]++;
    if (c.name != "timed") continue;
    count[c.op]++;
    total[c.op] += r.cycles;
    most[c.op] = std::max(most[c.op], r.cycles);
    least[c.op] = std::min(least[c.op], r.cycles);
  }
  // A turn for some of the cases: the rate of stalls, the length of a reset and the way to wipe change with it.
  const size_t apart = sparse * (path ? 100 : 5);
  for (size_t turn = 0; turn * apart < cases.size(); turn++) {
    const Case &c = cases[turn * apart], &next = cases[(turn * apart + 1) % cases.size()];
    bench.check(c, 2 + turn % 5);
    bench.run(next, 0, 1 + bench.random.next() % 1500);
    bench.reset(1 + turn % 2);
    bench.check(c, 0);
    bench.forget(c, turn % 2 == 0 ? 0 : 1 + bench.random.next() % 1500);
    bench.check(next, 0);
  }
  for (unsigned op = 0; op < 3 && LANES > 1; op++) {
    std::vector<const Case*> timed;
    for (const Case& c : cases)
      if (c.op == op && c.name == "timed" && c.ok) timed.push_back(&c);
    if (timed.empty()) continue;
    auto [cycles, busy] = bench.saturate(timed, 4);
    fprintf(stderr, "%s: one operation in %.1f cycles, multiplier busy in %.1f %% of them\n", names[op],
            static_cast<double>(cycles) / LANES, static_cast<double>(busy) / 10);
    // The claim is made for eight lanes; two at latency 2 keep it 86 % busy when signing.
    if (LANES >= 8 && busy < 900) fail("the multiplier idles", bench.clk.cycle);
    if (HALF_SIZE && op == 2 && LANES >= 8 && cycles > kVerify * LANES) fail("too many cycles", bench.clk.cycle);
    report(names[op], cycles, cycles, LANES);
  }
  for (unsigned op = 0; op < 3 && LANES == 1; op++) {
    if (count[op] == 0) continue;
    if (op < 2 && (FAST || FIXED_TIME) && least[op] != most[op]) fail("the count depends on the key or the message", 0);
    if (HALF_SIZE && op == 2 && MUL_LATENCY == 2 && most[op] > kVerify) fail("too many cycles", bench.clk.cycle);
    report(names[op], (total[op] + count[op] / 2) / count[op], most[op], 1, path ? checked[op] : 0);
  }
}
