// SPDX-License-Identifier: Apache-2.0 OR MIT
// Chains through the unit behind registers against RFC 8391 in C++, and what its cycles are spent on.
#include "chain_ref.h"
#include "clocked.h"

static Clocked sim;
static uint32_t memory[512];

static void put(unsigned at, const ref::State& value) {
  for (unsigned i = 0; i < 8; i++) memory[at + i] = value[i];
}

static uint64_t run(unsigned from, unsigned steps) {
  sim.top->start_i = 1;
  sim.top->from_i = from;
  sim.top->steps_i = steps;
  uint64_t start = sim.cycle;
  for (bool begun = false;;) {
    sim.look();
    if (begun && !sim.top->busy_o) return sim.cycle - start - 1;
    uint32_t answer = memory[sim.top->address_o];
    if (sim.top->write_o) memory[sim.top->address_o] = sim.top->data_o;
    sim.tick();
    sim.top->data_i = answer;
    sim.top->start_i = 0;
    begun = true;
    if (sim.cycle - start > 10000) fail("hangs", sim.cycle);
  }
}

int main(int, char** argv) {
  Random rng{7};
  auto random_bytes = [&](size_t n) {
    ref::Bytes out(n);
    for (uint8_t& b : out) b = static_cast<uint8_t>(rng.next());
    return out;
  };
  if (kRecord) sim.start_record(argv[1]);
  sim.reset();
  uint64_t cycles = 0;
  for (unsigned i = 0; i < 40; i++) {
    unsigned from = i == 39 ? 0 : rng.next() % 15, steps = i == 39 ? 15 : 1 + rng.next() % (15 - from);
    ref::Bytes seed = random_bytes(32), value = random_bytes(32);
    ref::Address address;
    for (uint32_t& w : address) w = static_cast<uint32_t>(rng.next());
    for (unsigned j = 0; j < 15; j++) {
      address[6] = j;
      put(16 * j, ref::after(0, ref::prf(32, seed, address, 0)));
      put(16 * j + 8, ref::words(ref::prf(32, seed, address, 1)));
    }
    put(256, ref::words(value));
    if (i == 39) sim.measure();
    cycles = run(from, steps);
    if (kRecord && i == 39) {
      sim.measured("xmss-n32-chain", 1);
      fflush(stdout);
      std::_Exit(0);  // the model stands in a variable of the program, which would outlive Verilator's own
    }
    ref::State want = ref::words(ref::xmss_chain(32, value, from, steps, seed, address));
    for (unsigned k = 0; k < 8; k++)
      if (memory[256 + k] != want[k]) fail("wrong value", sim.cycle);
  }
  unsigned moving = sim.top->moving_o, hashing = sim.top->hashing_o, control = sim.top->control_o;
  if (moving + hashing + control != cycles) fail("the histogram is not the whole", cycles);
  if (hashing != 15 * 64 / UNROLL) fail("cycles of hashing", hashing);
  report("xmss-n32-chain", cycles, cycles, 1);
  report("xmss-n32-chain-moving", moving, moving, 1);
  report("xmss-n32-chain-hashing", hashing, hashing, 1);
  report("xmss-n32-chain-control", control, control, 1);
}
