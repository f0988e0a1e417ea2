// SPDX-License-Identifier: Apache-2.0 OR MIT
// Random packets with random stalls through the stream adaptors, and the cycles of beats that nobody stalls.
#include "axi_stream.h"

namespace {

uint64_t run(unsigned in, unsigned out, unsigned packets) {
  Clocked clk;
  Random random{in + 10 * out + 1};
  std::deque<Beat> sent;
  auto get = [&] {
    Beat b;
    memcpy(b.data, &clk.top->data_o, BITS / 8);
    b.last = clk.top->last_o;
    return b;
  };
  auto put = [&](const Beat& b) {
    memcpy(&clk.top->data_i, b.data, BITS / 8);
    clk.top->last_i = b.last;
  };
  auto taken = [&](const Beat& b) {
    if (sent.empty() || !(b == sent.front())) fail("another beat than was sent", clk.cycle);
    sent.pop_front();
  };
  StreamSource source{{{2}, in}, clk.top->valid_i, clk.top->ready_o, put, {}, false};
  StreamSink sink{{{3}, out}, clk.top->valid_o, clk.top->ready_i, get, taken, false, {}};
  for (unsigned i = 0; i < packets; i++)
    for (uint64_t left = 1 + random.next() % 23; left > 0; left--) {
      Beat b;
      for (unsigned k = 0; k < BITS / 8; k++) b.data[k] = random.next();
      b.last = left == 1;
      sent.push_back(b);
    }
  source.beats = sent;
  clk.reset();
  uint64_t start = clk.cycle;
  while (!sent.empty()) {
    source.drive();
    sink.drive();
    clk.look();
    source.note();
    sink.note();
    clk.tick();
    if (clk.cycle > 1'000'000) fail("it hangs", clk.cycle);
  }
  return clk.cycle - start;
}

}  // namespace

int main() {
  for (unsigned in = 0; in < 8; in += 2)
    for (unsigned out = 0; out < 8; out += 3) run(in, out, 300);
}
