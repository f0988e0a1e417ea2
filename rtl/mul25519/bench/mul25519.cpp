// SPDX-License-Identifier: Apache-2.0 OR MIT
// mul25519 at any latency against schoolbook products and division bit by bit: every pair of border values,
// random values, one product per cycle; and reduction modulo L by Barrett's steps on thousands of 512-bit numbers, or
// as many as HASTEN_COUNT says.
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "clocked.h"
#include "wave.h"

namespace {

constexpr int kLimbs = 20;
using Number = std::array<uint32_t, kLimbs>;
enum Mode { kField, kLow, kHigh, kScalar };

Number from(std::initializer_list<uint32_t> low_first) {
  Number n{};
  int i = 0;
  for (uint32_t limb : low_first) n[i++] = limb;
  return n;
}
bool bit(const Number& n, int i) { return n[i / 32] >> (i % 32) & 1; }
bool less(const Number& a, const Number& b) {
  for (int i = kLimbs - 1; i >= 0; i--)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}
Number add(const Number& a, const Number& b) {
  Number r{};
  uint64_t carry = 0;
  for (int i = 0; i < kLimbs; i++) r[i] = static_cast<uint32_t>(carry += uint64_t{a[i]} + b[i]), carry >>= 32;
  return r;
}
Number sub(const Number& a, const Number& b) {
  Number r{};
  int64_t borrow = 0;
  for (int i = 0; i < kLimbs; i++) r[i] = static_cast<uint32_t>(borrow += int64_t{a[i]} - b[i]), borrow >>= 32;
  return r;
}
Number shift(const Number& a, int bits) {  // to the left; negative to the right
  Number r{};
  for (int i = 0; i < 32 * kLimbs; i++)
    if (i - bits >= 0 && i - bits < 32 * kLimbs && bit(a, i - bits)) r[i / 32] |= 1u << (i % 32);
  return r;
}
Number low(const Number& a, int bits) { return sub(a, shift(shift(a, -bits), bits)); }
Number mul(const Number& a, const Number& b) {
  Number r{};
  for (int i = 0; i < kLimbs; i++) {
    uint64_t carry = 0;
    for (int j = 0; i + j < kLimbs; j++) {
      carry += uint64_t{a[i]} * b[j] + r[i + j];
      r[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  return r;
}
Number mod(const Number& a, const Number& m) {
  Number r{};
  for (int i = 32 * kLimbs - 1; i >= 0; i--) {
    r = add(r, r);
    if (bit(a, i)) r[0] |= 1;
    if (!less(r, m)) r = sub(r, m);
  }
  return r;
}

const Number one = from({1});
const Number kP = sub(shift(one, 255), from({19}));
const Number kL = add(shift(one, 252), from({0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de}));
const Number kEightL = shift(kL, 3);

struct Task {
  Mode mode = kField;
  Number a{}, b{}, c{};
  bool twice = false, r_only = false;
};

struct Bench {
  Clocked clk;
  Random random{11};
  std::deque<Task> flight;
  std::vector<Number> results;

  template <typename Port>
  static void put(Port& port, const Number& n, int words) {
    for (int i = 0; i < words; i++) port[i] = n[i];
  }
  template <typename Port>
  static Number get(const Port& port) {
    Number n{};
    for (int i = 0; i < 9; i++) n[i] = port[i];
    return n;
  }

  void check(const Task& t) {
    const Number product = shift(mul(t.a, t.b), t.twice), top = shift(one, 257);
    Number r, modulus = top;
    if (t.mode == kLow) {
      r = low(product, 257);
    } else if (t.mode == kHigh) {
      r = shift(product, -257);
    } else if (t.mode == kField) {
      r = mod(product, modulus = kP);
    } else {
      // A signed number of 257 bits.
      r = mod(bit(t.a, 256) ? sub(add(t.a, shift(kL, 5)), top) : t.a, kL);
      modulus = kL;
    }
    if (get(clk.top->r_o) != r) fail("wrong product", clk.cycle);
    results.push_back(r);
    if (t.r_only) return;
    Number sum = add(t.c, r), difference = less(t.c, r) ? sub(add(t.c, modulus), r) : sub(t.c, r);
    if (!less(sum, modulus)) sum = sub(sum, modulus);
    if (get(clk.top->s_o) != sum) fail("wrong sum", clk.cycle);
    if (get(clk.top->m_o) != difference) fail("wrong difference", clk.cycle);
  }

  // One cycle with a new product; the results of the one issued LATENCY - 1 cycles ago are checked.
  void step(const Task& task) {
    flight.push_back(task);
    put(clk.top->a_i, task.a, 9);
    put(clk.top->b_i, task.b, 8);
    clk.top->mode_i = task.mode;
    clk.top->twice_i = task.twice;
    // The term goes in one cycle before the results come out.
    if (flight.size() >= LATENCY - 1) put(clk.top->c_i, flight[flight.size() - (LATENCY - 1)].c, 9);
    clk.look();
    if (flight.size() == LATENCY) {
      check(flight.front());
      flight.pop_front();
    }
    clk.tick();
  }
  Number last(const Task& task) {  // the result alone
    step(task);
    for (int i = 1; i < LATENCY; i++) step(Task{});
    return results.back();
  }

  Number value(int bits) {
    Number n{};
    for (auto& limb : n) limb = static_cast<uint32_t>(random.next());
    return low(n, bits);
  }
  Number reduced() { return mod(value(300), kP); }
};

Task raw(Mode mode, const Number& a, const Number& b, const Number& c = {}) { return {mode, a, b, c, false, false}; }

// 2^257 - floor(2^512 / 8L), the quotient by division bit by bit.
const Number kReciprocal = [] {
  Number q{}, r{};
  for (int i = 512; i >= 0; i--) {
    r = add(r, r);
    if (i == 512) r[0] |= 1;
    q = add(q, q);
    if (!less(r, kEightL)) r = sub(r, kEightL), q[0] |= 1;
  }
  return sub(shift(one, 257), q);
}();

// The number whose bits from 255 up times the reciprocal leave `rho` modulo 2^257: where the part cut off the quotient is
// least and greatest.
Number with_rest(const Number& rho, const Number& low_part) {
  Number inverse = one;
  for (int i = 0; i < 9; i++)
    inverse = low(mul(inverse, low(sub(add(shift(one, 257), from({2})), low(mul(kReciprocal, inverse), 257)), 257)), 257);
  if (low(mul(kReciprocal, inverse), 257) != one) fail("the inverse is none", 0);
  return add(shift(low(mul(rho, inverse), 257), 255), low_part);
}

// a mod L: quotient by the reciprocal of 8L, remainder, correction.
Number barrett(Bench& bench, const Number& a) {
  Number high = shift(a, -255), top = shift(one, 257);
  bench.step(raw(kLow, high, kReciprocal));
  Number part = bench.last(raw(kHigh, high, kReciprocal));
  Number q = sub(high, part);
  Number r = bench.last(raw(kLow, q, kEightL));
  Number rest = low(sub(add(low(a, 257), top), r), 257);
  // The sum with the term is beyond L in half of the cases.
  const Number term = bench.random.one_in(4) ? sub(kL, one) : bench.value(252);
  return bench.last({kScalar, rest, one, term, false, false});
}

// Products of small numbers in a row, each with its term, of which the lowest words are drawn.
int wave() {
  Bench bench;
  Vtop& top = *bench.clk.top;
  int given = 0;
  auto due = [&] { return given > LATENCY - 1 && given <= LATENCY + 2; };
  Wave wave;
  wave.bus("mode_i", [&] { return top.mode_i; }, [&] { return given <= 3; });
  wave.bus("a_i", [&] { return top.a_i[0]; }, [&] { return given <= 3; });
  wave.bus("b_i", [&] { return top.b_i[0]; }, [&] { return given <= 3; });
  wave.bit("twice_i", [&] { return top.twice_i; });
  wave.bus("c_i", [&] { return top.c_i[0]; }, [&] { return given > LATENCY - 2 && given <= LATENCY + 1; });
  wave.space();
  wave.bus("r_o", [&] { return top.r_o[0]; }, due);
  wave.bus("s_o", [&] { return top.s_o[0]; }, due);
  bench.clk.watch = [&] { wave.sample(); };
  for (uint32_t i = 1; i <= LATENCY + 3; i++) {
    given++;
    bench.step(i <= 3 ? Task{kField, from({i}), from({16}), from({i}), i == 2, false} : Task{});
  }
  wave.print("mul25519: a product in each cycle; the second is doubled; s is r and the term c");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  Bench bench;
  const Number two255 = shift(one, 255);
  const std::vector<Number> borders = {from({}), one, from({2}), from({18}), from({19}), from({20}), sub(kP, one), kP, add(kP, one),
                                       sub(two255, one), kL, sub(kL, one), shift(one, 254), sub(shift(one, 251), one), shift(kL, 2)};
  for (const Number& a : borders)
    for (const Number& b : borders)
      for (const Number& c : {from({}), one, sub(kP, one)})
        for (bool twice : {false, true}) bench.step({kField, a, b, c, twice, false});
  for (int i = 0; i < 4000; i++) bench.step({kField, bench.value(255), bench.value(255), bench.reduced(), i % 2 == 0, false});
  for (int i = 0; i < 500; i++) {
    Task t{kLow, bench.value(257), bench.value(256), bench.value(257), false, false};
    bench.step(t);
    t.mode = kHigh;
    bench.step(t);
  }
  for (uint32_t times = 0; times <= 11; times++)
    for (int around = -2; around <= 2; around++) {
      Number n = mul(kL, from({times}));
      n = around < 0 ? low(sub(add(n, shift(one, 257)), from({static_cast<uint32_t>(-around)})), 257) : add(n, from({static_cast<uint32_t>(around)}));
      Number result = barrett(bench, n);
      if (result != mod(n, kL)) fail("wrong number modulo L near a multiple", bench.clk.cycle);
    }
  std::vector<Number> wide = {from({}), sub(shift(one, 512), one), shift(one, 511), two255, sub(two255, one), mul(kEightL, sub(two255, one))};
  const Number most = sub(shift(one, 257), one);
  for (const Number& rho : {from({}), one, sub(most, one), most})
    for (const Number& rest : {from({}), sub(two255, one)}) wide.push_back(with_rest(rho, rest));
  auto reduce = [&](const Number& a) {
    if (barrett(bench, a) != mod(a, kL)) fail("wrong number modulo L", bench.clk.cycle);
  };
  for (const Number& a : wide) reduce(a);
  const char* wanted = getenv("HASTEN_COUNT");
  const uint64_t count = wanted ? strtoull(wanted, nullptr, 10) : 3000;
  const uint64_t begun = bench.clk.cycle;
  for (uint64_t i = 0; i < count; i++) reduce(bench.value(512));
  const uint64_t each = count == 0 ? 0 : (bench.clk.cycle - begun) / count;
  report("product", LATENCY, LATENCY, LATENCY);
  if (wanted) report("barrett", each, each, 1, count);
}
