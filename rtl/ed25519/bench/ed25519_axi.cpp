// SPDX-License-Identifier: Apache-2.0 OR MIT
// ed25519_axi as software sees it: registers, interrupt, and the cases of vectors.txt through the streams with random stalls
// on every channel.
#include <cstring>
#include <vector>

#include <deque>

#include "../ed25519_driver.h"
#include "axi_bench.h"
#include "cases.h"
#include "driver_platform.h"

#ifndef HALF_SIZE
#define HALF_SIZE 0
#endif

namespace {

Beat beat(const Word& word) {
  Beat beat;
  memcpy(beat.data, &word.data, 8);
  beat.keep = (1u << word.bytes) - 1;
  beat.last = word.last;
  return beat;
}

struct Bench : AxiBench {
  std::vector<uint64_t> output, held;
  StreamSource keys;

  Bench(uint64_t seed, unsigned in, unsigned out)
      : AxiBench(seed, in, out, 20),
        keys{{{seed + 4}, in}, clk.top->s_axis_key_tvalid, clk.top->s_axis_key_tready, [this](const Beat& b) { put_key(b); }, {}, false} {
    watch = [this] { keys.note(); };
  }
  void put_key(const Beat& b) { memcpy(&clk.top->s_axis_key_tdata, b.data, 8); }
  void feed() override { keys.drive(); }

  void put(const Beat& b) override {
    memcpy(&clk.top->s_axis_tdata, b.data, 8);
    clk.top->s_axis_tkeep = b.keep;
    clk.top->s_axis_tlast = b.last;
  }
  Beat get() override {
    Beat b;
    memcpy(b.data, &clk.top->m_axis_tdata, 8);
    b.keep = clk.top->m_axis_tkeep;
    b.last = clk.top->m_axis_tlast;
    return b;
  }
  void take(const Beat& b) override {
    uint64_t data;
    memcpy(&data, b.data, 8);
    if (b.keep != 0xff) fail("a word that is not whole", clk.cycle);
    output.push_back(data);
    queue.push_back(data);
  }
  // As a platform of the driver in C.
  std::deque<uint64_t> queue;
  void write(uint32_t address, uint32_t value) {
    axil.write(address, value);
    drain();
  }
  void restart() {
    for (StreamSource* one : {&source, &keys}) {
      one->beats.clear();
      one->waits = false;
    }
    sink.waits = false;
    clk.top->s_axis_tvalid = clk.top->s_axis_key_tvalid = 0;
    clk.reset(20);
    queue.clear();
    held.clear();
  }
  bool offer(unsigned stream, const uint8_t* bytes, size_t count, bool last) {
    StreamSource& to = stream == ED25519_STREAM_KEY ? keys : source;
    Beat beat;
    memcpy(beat.data, bytes, count);
    beat.keep = (1u << count) - 1;
    beat.last = last;
    to.beats.push_back(beat);
    for (unsigned i = 0; i < 10'000 && !to.beats.empty(); i++) step();
    return to.beats.empty();
  }
  size_t taken_out(uint8_t* bytes, unsigned* id) {
    *id = 0;
    if (queue.empty()) return 0;
    memcpy(bytes, &queue.front(), 8);
    queue.pop_front();
    return 8;
  }

  // The answer to the last command.
  uint8_t verdict() { return static_cast<uint8_t>(read(ED25519_AXI_STATUS) >> ED25519_AXI_STATUS_VERDICT_SHIFT); }

  // The clock cycles that the core counts.
  uint32_t run(const Case& c) {
    if (c.op == 1 && held != c.seed) {
      Case key;
      key.ok = 1;
      key.seed = c.seed;
      key.name = "key of a signature";
      run(key);
    }
    output.clear();
    axil.write(ED25519_AXI_DONE, 1);
    axil.write(ED25519_AXI_COMMAND, c.op);
    drain();
    if (!(read(ED25519_AXI_STATUS) & ED25519_AXI_STATUS_BUSY_MASK)) fail("not busy after a command", clk.cycle);
    if (verdict() != kNone) fail("an answer to a command that runs", clk.cycle);
    for (const Word& word : c.in) source.beats.push_back(beat(word));
    // Seeds alone are taken from the stream of keys.
    if (c.op == 0)
      for (uint64_t word : c.seed) keys.beats.push_back(beat({word, 8, 0}));
    while (!clk.top->irq_o) step();
    uint32_t status = read(ED25519_AXI_STATUS);
    if (status & ED25519_AXI_STATUS_BUSY_MASK) fail("busy after the response", clk.cycle);
    while (clk.top->m_axis_tvalid) step();
    // Whoever signs does not ask which public key comes out.
    if (c.op == 0) {
      held = c.seed;
      if (c.out.empty()) output.clear();
    }
    if ((status >> ED25519_AXI_STATUS_OK_SHIFT & 1) != c.ok || verdict() != c.verdict() || output != c.out) {
      fprintf(stderr, "op %u, %s: ", c.op, c.name.c_str());
      fail("wrong verdict or output", clk.cycle);
    }
    return read(ED25519_AXI_CYCLES);
  }
};

// A clear is answered, zeroize_i only wipes; beats that come meanwhile wait, and those that came before are gone.
void forget(Bench& b, const Case& next, bool zeroize) {
  b.axil.write(ED25519_AXI_DONE, 1);
  if (zeroize) {
    b.axil.write(ED25519_AXI_COMMAND, ED25519_AXI_COMMAND_OP_SIGN);
    b.drain();
    for (int i = 0; i < 30; i++) b.step();
    b.clk.top->zeroize_i = 1;
    b.step();
    b.clk.top->zeroize_i = 0;
    if (uint32_t status = b.read(ED25519_AXI_STATUS)) fail("busy, a key or an answer after zeroize_i", status);
  } else {
    b.axil.write(ED25519_AXI_COMMAND, ED25519_AXI_COMMAND_OP_CLEAR);
    b.drain();
    while (!b.clk.top->irq_o) b.step();
    if (b.verdict() != kDone || b.read(ED25519_AXI_STATUS) & ED25519_AXI_STATUS_KEY_MASK) fail("a clear is not done", b.clk.cycle);
  }
  b.held.clear();
  b.run(next);
}

void registers(Bench& b) {
  if (b.read(ED25519_AXI_ID) != 0x45443235 || b.read(ED25519_AXI_VERSION) != (2u << 16)) fail("wrong identity", b.clk.cycle);
  if (b.read(ED25519_AXI_FEATURES) != (FAST | (FAST | FIXED_TIME) << 1 | HALF_SIZE << 2 | MUL_LATENCY << 4)) fail("wrong features", b.clk.cycle);
  auto refused = [&b](uint32_t, unsigned resp) {
    if (resp != kSlvErr) fail("a write was not refused", b.clk.cycle);
  };
  b.axil.write(ED25519_AXI_ID, 1, 15, refused);
  b.axil.write(ED25519_AXI_STATUS, 1, 15, refused);
  b.axil.write(ED25519_AXI_SCRATCH, 0x11223344);
  b.axil.write(ED25519_AXI_SCRATCH, 0xaabbccdd, 0b0110);
  if (b.read(ED25519_AXI_SCRATCH) != 0x11bbcc44) fail("wrong bytes written", b.clk.cycle);
  refuses_insecure(b, ED25519_AXI_SCRATCH);
  b.axil.write(ED25519_AXI_INTERRUPT_ENABLE, 1);
  b.drain();
}

// The driver in C makes a key, signs and verifies; no fault of the bus makes a signature of another message good.
void drives(Bench& b) {
  const uint8_t seed[32] = {0x9d, 0x61, 0xb1}, message[] = "genuine", other[] = "genuin3";
  uint8_t signature[64], open[32];
  Platform<Bench> right{b};
  register_bus bus = right.bus();
  b.restart();
  if (b.read(ED25519_AXI_STATUS) != 0) fail("a status after a reset", b.clk.cycle);
  if (ed25519_open(&bus) != DRIVER_OK || ed25519_sign(&bus, message, 8, signature) != DRIVER_REFUSED) fail("it signs without a key", b.clk.cycle);
  if (ed25519_keygen(&bus, seed, open) != DRIVER_OK) fail("the driver makes no key", b.clk.cycle);
  for (size_t count : {0, 1, 7, 8}) {
    if (ed25519_sign(&bus, message, count, signature) != DRIVER_OK) fail("the driver does not sign", count);
    if (ed25519_verify(&bus, open, message, count, signature) != DRIVER_OK) fail("a good signature", count);
    if (count && ed25519_verify(&bus, open, message, count - 1, signature) != DRIVER_BAD) fail("a bad signature", count);
  }
  if (ed25519_clear(&bus) != DRIVER_OK) fail("the driver does not clear", b.clk.cycle);
  each_fault(b, 24, [&](register_bus& faulty, unsigned at) {
    if (ed25519_open(&faulty) != DRIVER_OK) return;
    ed25519_verify(&faulty, open, message, 8, signature);
    if (ed25519_verify(&faulty, open, other, 8, signature) == DRIVER_OK) fail("a fault of the bus made a signature good", at);
  });
  b.restart();
  registers(b);
}

}  // namespace

int main() {
  const std::vector<Case> cases = load("rtl/ed25519/bench/vectors.txt");
  for (unsigned stall = 0; stall < 6; stall += 2) {
    Bench b(stall + 1, stall, 4 - stall);
    if (stall == 0) drives(b);
    registers(b);
    for (size_t i = stall; i < cases.size(); i += 3) b.run(cases[i]);
    for (size_t i = stall; i < 12; i++) forget(b, cases[i], i % 2);
  }
  const char* names[] = {"keygen", "sign", "verify"};
  for (unsigned op = 0; op < 3; op++) {
    Bench b(9, 0, 0);
    registers(b);
    for (const Case& c : cases)
      if (c.op == op && c.name == "timed") {
        uint32_t cycles = b.run(c);
        report(names[op], cycles, cycles, 1);
        break;
      }
  }
}
