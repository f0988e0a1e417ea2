// SPDX-License-Identifier: Apache-2.0 OR MIT
// ed25519_axi as software sees it: registers, interrupt, and the cases of vectors.txt through the streams with random stalls
// on every channel.
#include <cstring>
#include <vector>

#include "../gen/ed25519_axi_regs.h"
#include "axi_bench.h"
#include "cases.h"

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
  std::vector<uint64_t> output;

  Bench(uint64_t seed, unsigned in, unsigned out) : AxiBench(seed, in, out, 20) {}

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
  }

  // The clock cycles that the core counts.
  uint32_t run(const Case& c) {
    output.clear();
    axil.write(ED25519_AXI_DONE, 1);
    axil.write(ED25519_AXI_COMMAND, c.op);
    drain();
    if (!(read(ED25519_AXI_STATUS) & ED25519_AXI_STATUS_BUSY_MASK)) fail("not busy after a command", clk.cycle);
    for (const Word& word : c.in) source.beats.push_back(beat(word));
    while (!clk.top->irq_o) step();
    uint32_t status = read(ED25519_AXI_STATUS);
    if (status & ED25519_AXI_STATUS_BUSY_MASK) fail("busy after the response", clk.cycle);
    while (clk.top->m_axis_tvalid) step();
    if ((status >> ED25519_AXI_STATUS_OK_SHIFT & 1) != c.ok || output != c.out) {
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
    if (b.read(ED25519_AXI_STATUS) & ED25519_AXI_STATUS_BUSY_MASK) fail("busy after zeroize_i", b.clk.cycle);
  } else {
    b.axil.write(ED25519_AXI_COMMAND, ED25519_AXI_COMMAND_OP_CLEAR);
    b.drain();
    while (!b.clk.top->irq_o) b.step();
    if (!(b.read(ED25519_AXI_STATUS) & ED25519_AXI_STATUS_OK_MASK)) fail("a clear is answered with no", b.clk.cycle);
  }
  b.run(next);
}

void registers(Bench& b) {
  if (b.read(ED25519_AXI_ID) != 0x45443235 || b.read(ED25519_AXI_VERSION) != (1u << 16 | 2)) fail("wrong identity", b.clk.cycle);
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

}  // namespace

int main() {
  const std::vector<Case> cases = load("rtl/ed25519/bench/vectors.txt");
  for (unsigned stall = 0; stall < 6; stall += 2) {
    Bench b(stall + 1, stall, 4 - stall);
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
