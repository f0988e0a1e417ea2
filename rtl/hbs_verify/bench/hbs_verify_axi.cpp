// SPDX-License-Identifier: Apache-2.0 OR MIT
// hbs_verify_axi as software sees it: registers, interrupt, and the keys and signatures of vectors.txt through the stream, with random
// stalls of both. Commands that come too early are lost and change nothing, `clear` ends a verification anywhere. The driver in C drives it too,
// over a bus that loses a write, refuses an access, or resets the core.
#include <cstring>

#include "../hbs_verify_driver.h"
#include "axi_lite.h"
#include "driver_platform.h"
#include "vectors.h"

#ifndef XMSS
#define XMSS 0
#endif
#ifndef ONLY_SECURE
#define ONLY_SECURE 0
#endif

namespace {

struct Form {
  bool hss, xmss;
  Form(const Case& c) : hss(c.hss), xmss(c.xmss) {}
};

struct Bench {
  Clocked clk;
  uint32_t stack[128];  // of XMSS
  AxiLite axil;
  StreamSource source;

  Bench(uint64_t seed, unsigned stalls)
      : axil(clk, seed + 1, stalls),
        source{{{seed + 2}, stalls}, clk.top->s_axis_tvalid, clk.top->s_axis_tready, [this](const Beat& b) { put(b); }, {}, false} {
    clk.reset();
  }
  void put(const Beat& b) {
    memcpy(&clk.top->s_axis_tdata, b.data, 4);
    clk.top->s_axis_tlast = b.last;
  }
  void step() {
    axil.drive();
    source.drive();
    clk.top->stack_ready_i = clk.cycle % 3 != 0;
    clk.look();
    if (clk.top->stack_ready_i && clk.top->stack_valid_o) {
      uint32_t& word = stack[clk.top->stack_address_o];
      if (clk.top->stack_write_o) word = clk.top->stack_data_o;
      clk.top->stack_data_i = word;
      clk.look();
    }
    axil.note();
    source.note();
    clk.tick();
    if (clk.cycle > 100'000'000) fail("it hangs", clk.cycle);
  }
  void write(uint32_t address, uint32_t value, unsigned wanted = kOkay) {
    axil.write(address, value, 15, [this, wanted](uint32_t, unsigned resp) {
      if (resp != wanted) fail("a write was answered otherwise", clk.cycle);
    });
    while (!axil.idle()) step();
  }
  uint32_t read(uint32_t address) {
    uint32_t value = 0;
    axil.read(address, [&](uint32_t data, unsigned resp) {
      if (resp != kOkay) fail("a read was refused", clk.cycle);
      value = data;
    });
    while (!axil.idle()) step();
    return value;
  }
  void restart() {
    source.beats.clear();
    source.waits = false;
    clk.top->s_axis_tvalid = 0;
    clk.reset();
  }
  bool offer(unsigned, const uint8_t* bytes, size_t count, bool last) {
    Beat beat;
    memcpy(beat.data, bytes, count);
    beat.last = last;
    source.beats.push_back(beat);
    for (unsigned i = 0; i < 200'000 && !source.beats.empty(); i++) step();
    return source.beats.empty();
  }
  size_t taken_out(uint8_t*, unsigned*) { return 0; }
  bool busy() { return read(HBS_VERIFY_STATUS) & HBS_VERIFY_STATUS_BUSY_MASK; }
  unsigned verdict() { return read(HBS_VERIFY_STATUS) >> HBS_VERIFY_STATUS_VERDICT_SHIFT & 0xff; }

  void command(Form form, bool digest, uint64_t length) {
    write(HBS_VERIFY_LENGTH, static_cast<uint32_t>(length));
    write(HBS_VERIFY_LENGTH_HIGH, static_cast<uint32_t>(length >> 32));
    write(HBS_VERIFY_COMMAND, (form.hss ? HBS_VERIFY_COMMAND_HSS_MASK : 0) | (form.xmss ? HBS_VERIFY_COMMAND_XMSS_MASK : 0) |
                                  (digest ? HBS_VERIFY_COMMAND_DIGEST_MASK : 0));
  }
  void stream(const Bytes& bytes) {
    for (size_t at = 0; at < bytes.size(); at += 4) {
      Beat beat;
      memcpy(beat.data, &bytes[at], 4);
      beat.last = at + 4 == bytes.size();
      source.beats.push_back(beat);
    }
  }
  unsigned answer() {
    while (!clk.top->irq_o) step();
    if (busy()) fail("busy after the answer", clk.cycle);
    if (read(HBS_VERIFY_DONE) != HBS_VERIFY_DONE_ANSWER_MASK) fail("other events", clk.cycle);
    write(HBS_VERIFY_DONE, HBS_VERIFY_DONE_ANSWER_MASK);
    if (clk.top->irq_o) fail("the interrupt stays", clk.cycle);
    if (!source.beats.empty()) fail("words were left", clk.cycle);
    return verdict();
  }
  unsigned run(Form form, bool digest, uint64_t length, const Bytes& bytes) {
    stream(bytes);
    command(form, digest, length);
    if (!busy() || verdict() != HBS_VERIFY_STATUS_VERDICT_NONE) fail("not busy after a command", clk.cycle);
    return answer();
  }
};

void expect(const Case& c, const char* what, unsigned found, unsigned wanted) {
  if (found == wanted) return;
  fprintf(stderr, "%s, %s: %02x, not %02x\n", c.name.c_str(), what, found, wanted);
  fail("wrong verdict", 0);
}

void registers(Bench& b) {
  if (b.read(HBS_VERIFY_ID) != 0x48425356 || b.read(HBS_VERIFY_VERSION) != (1u << 16 | 2)) fail("wrong identity", b.clk.cycle);
  if (b.read(HBS_VERIFY_FEATURES) != XMSS) fail("wrong features", b.clk.cycle);
  b.write(HBS_VERIFY_ID, 1, kSlvErr);
  b.write(HBS_VERIFY_STATUS, 1, kSlvErr);
  if (b.busy() || b.verdict() != HBS_VERIFY_STATUS_VERDICT_NONE || b.read(HBS_VERIFY_LENGTH_HIGH) != 0) fail("not as after a reset", b.clk.cycle);
  b.write(HBS_VERIFY_INTERRUPT_ENABLE, HBS_VERIFY_INTERRUPT_ENABLE_ANSWER_MASK);
  ONLY_SECURE ? refuses_insecure(b, HBS_VERIFY_INTERRUPT_ENABLE) : serves_insecure(b, HBS_VERIFY_INTERRUPT_ENABLE);
}

// A command too early, `clear` at random places, and lengths that the stream does not have.
void commands(Bench& b, const Case& c) {
  const Bytes whole = c.stream();
  b.command(c, false, c.message.size());
  b.write(HBS_VERIFY_LENGTH, 1);
  b.write(HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_DIGEST_MASK);
  if (b.read(HBS_VERIFY_DONE) != HBS_VERIFY_DONE_LOST_MASK) fail("a command was not lost", b.clk.cycle);
  b.write(HBS_VERIFY_DONE, HBS_VERIFY_DONE_LOST_MASK);
  b.stream(whole);
  expect(c, "beside a lost command", b.answer(), HBS_VERIFY_STATUS_VERDICT_GOOD);
  Random random{5};
  for (unsigned i = 0; i < 40; i++) {
    b.command(c, false, c.message.size());
    b.stream(Bytes(whole.begin(), whole.begin() + static_cast<long>(4 * (random.next() % (whole.size() / 4)))));
    if (!b.source.beats.empty()) b.source.beats.back().last = false;
    for (uint64_t left = random.next() % 20'000; left > 0; left--) b.step();
    b.write(HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_OP_CLEAR);
    if (b.busy() || b.verdict() != HBS_VERIFY_STATUS_VERDICT_NONE || b.read(HBS_VERIFY_DONE) != 0) fail("not as after a reset", b.clk.cycle);
    b.source.beats.clear();
    b.source.waits = false;
    if (i % 8 == 0) expect(c, "after clear", b.run(c, false, c.message.size(), whole), HBS_VERIFY_STATUS_VERDICT_GOOD);
  }
  for (uint64_t more : {1ull << 32, 1ull << 59, 1ull << 60, 1ull << 63}) {
    expect(c, "another length", b.run(c, false, c.message.size() + more, whole), HBS_VERIFY_STATUS_VERDICT_REFUSED);
  }
  expect(c, "its digest", b.run(c, true, 0, c.digest_stream()), HBS_VERIFY_STATUS_VERDICT_GOOD);
  b.write(HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_OP_CLEAR);
  expect(c, "an answer that was cleared", b.verdict(), HBS_VERIFY_STATUS_VERDICT_NONE);
}

void judged(Bench& b, const Case& c) {
  unsigned verdict = b.run(c, false, c.message.size(), c.stream());
  if (c.good) expect(c, "a good one", verdict, HBS_VERIFY_STATUS_VERDICT_GOOD);
  if (!c.good && verdict != HBS_VERIFY_STATUS_VERDICT_BAD) expect(c, "a bad one", verdict, HBS_VERIFY_STATUS_VERDICT_REFUSED);
}

// Cycles are part of the contract.
constexpr uint64_t kMean = 29'135;

// With XMSS its known answers and two of our own, without it refused.
void xmss(const std::vector<Case>& cases) {
  for (unsigned stalls : {0u, 3u}) {
    Bench b(stalls + 1, stalls);
    registers(b);
    for (const Case& c : cases) {
      if (!c.xmss || (c.name.rfind("liboqs-", 0) != 0 && c.message.size() > 0)) continue;
      unsigned verdict = b.run(c, false, c.message.size(), c.stream());
      expect(c, "XMSS", verdict, XMSS ? HBS_VERIFY_STATUS_VERDICT_GOOD : HBS_VERIFY_STATUS_VERDICT_REFUSED);
      if (!XMSS) continue;
      expect(c, "its digest", b.run(c, true, 0, c.digest_stream()), HBS_VERIFY_STATUS_VERDICT_GOOD);
      if (stalls > 0) break;
    }
  }
}

hbs_part of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

driver_result drive(const register_bus& bus, const Case& c, const Bytes& message) {
  return hbs_verify(&bus, c.hss ? HBS_HSS : c.xmss ? HBS_XMSS : HBS_LMS, of(c.key), of(message), of(c.signature));
}

// A good signature and one of another message, and no fault of the bus makes the second one good.
void drives(const std::vector<Case>& all) {
  unsigned driven = 0;
  for (const Case& c : all) {
    if (!c.good || c.message.size() < 3 || c.name.rfind("measured-", 0) == 0 || (c.xmss && !XMSS)) continue;
    if (!c.two() && c.name.find("M24_H5_W4") == std::string::npos && c.name != "XMSS-SHA2_10_192") continue;
    Bench b(3, 0);
    Bytes other = c.message;
    other[1] ^= 4;
    Platform<Bench> right{b};
    register_bus bus = right.bus();
    if (hbs_verify_open(&bus) != DRIVER_OK || drive(bus, c, c.message) != DRIVER_OK || drive(bus, c, other) != DRIVER_BAD) fail("the driver", driven);
    Case shorter = c;
    shorter.signature.resize(shorter.signature.size() - 4);
    if (drive(bus, shorter, c.message) != DRIVER_REFUSED) fail("a short signature", driven);
    if (driven++ > 0) continue;
    each_fault(b, 20, [&](register_bus& faulty, unsigned at) {
      if (hbs_verify_open(&faulty) != DRIVER_OK) return;
      drive(faulty, c, c.message);
      if (drive(faulty, c, other) == DRIVER_OK) fail("a fault of the bus made a signature good", at);
    });
  }
  if (driven < 2) fail("no signature was driven", driven);
}

}  // namespace

int main() {
  const std::vector<Case> all = load_cases("rtl/hbs_verify/bench/vectors.txt");
  xmss(all);
  drives(all);
  std::vector<Case> cases;
  for (const Case& c : all)
    if (!c.xmss) cases.push_back(c);
  for (unsigned stalls : {0u, 3u}) {
    Bench b(stalls + 1, stalls);
    registers(b);
    bool first = true;
    for (const Case& c : cases) {
      if (c.name.rfind("measured-", 0) == 0 || c.name.find("W8") != std::string::npos) continue;
      judged(b, c);
      if (first) commands(b, c);
      first = false;
    }
  }
  Bench b(9, 0);
  registers(b);
  uint64_t sum = 0, most = 0, count = 0;
  for (const Case& c : cases) {
    if (c.name != "measured-LMS_SHA256_M24_H10_W4") continue;
    judged(b, c);
    uint64_t cycles = b.read(HBS_VERIFY_CYCLES);
    sum += cycles, most = std::max(most, cycles), count++;
  }
  uint64_t mean = (sum + count / 2) / count;
  if (mean != kMean) fail("another number of cycles", mean);
  report("verify-LMS_SHA256_M24_H10_W4", mean, most, 1);
}
