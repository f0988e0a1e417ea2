// SPDX-License-Identifier: Apache-2.0 OR MIT
// A model with registers on AXI4-Lite and a stream on each side, as software sees it. A bench says what the beats mean.
#pragma once
#include "axi_lite.h"

struct AxiBench {
  Clocked clk;
  AxiLite axil;
  StreamSource source;
  StreamSink sink;
  std::function<void()> watch;  // called in every cycle, between its edges
  uint64_t limit = 20'000'000;

  // Stalls in eighths of eight cycles, in and out.
  AxiBench(uint64_t seed, unsigned in, unsigned out, unsigned reset)
      : axil(clk, seed + 1, in),
        source{{{seed + 2}, in}, clk.top->s_axis_tvalid, clk.top->s_axis_tready, [this](const Beat& b) { put(b); }, {}, false},
        sink{{{seed + 3}, out}, clk.top->m_axis_tvalid, clk.top->m_axis_tready, [this] { return get(); }, [this](const Beat& b) { take(b); }, false, {}} {
    clk.reset(reset);
  }
  virtual ~AxiBench() = default;

  virtual void put(const Beat& b) = 0;   // a beat to the ports
  virtual Beat get() = 0;                // from the ports
  virtual void take(const Beat& b) = 0;  // it came out
  virtual void feed() {}                 // before each cycle

  void step() {
    feed();
    axil.drive();
    source.drive();
    sink.drive();
    clk.look();
    if (watch) watch();
    axil.note();
    source.note();
    sink.note();
    clk.tick();
    if (clk.cycle > limit) fail("it hangs", clk.cycle);
  }
  void drain() {
    while (!axil.idle()) step();
  }
  uint32_t read(uint32_t address) {
    uint32_t value = 0;
    axil.read(address, [&](uint32_t data, unsigned resp) {
      if (resp != kOkay) fail("a read was refused", clk.cycle);
      value = data;
    });
    drain();
    return value;
  }
};
