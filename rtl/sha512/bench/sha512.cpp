// SPDX-License-Identifier: Apache-2.0 OR MIT
// sha512 on digests made with another implementation (vectors.txt): every length up to two blocks and some longer ones,
// with and without stalls, one after the other, and from midstates.
#include <fstream>
#include <sstream>
#include <string>

#include "clocked.h"
#include "wave.h"

namespace {

struct Bench {
  Clocked clk;
  Random random{3};

  // Hashes bytes `from` to `length` of the pattern; the cycles from start to digest. With `most` it ends after so many cycles.
  uint64_t hash(unsigned from, unsigned length, const std::string& midstate, unsigned stall, uint64_t most = 0) {
    auto& top = *clk.top;
    top.start_i = 1;
    top.resume_i = !midstate.empty();
    top.prior_i = from;
    for (unsigned i = 0; !midstate.empty() && i < 16; i++)
      top.midstate_i[15 - i] = static_cast<uint32_t>(std::stoul(midstate.substr(8 * i, 8), nullptr, 16));
    uint64_t start = clk.cycle;
    top.valid_i = 0;
    clk.tick();
    top.start_i = 0;
    unsigned at = from;
    bool sent = false;
    while (true) {
      top.valid_i = !sent && (stall == 0 || !random.one_in(stall));
      unsigned left = length - at, bytes = left < 8 ? left : 8;
      top.bytes_i = bytes;
      top.last_i = left <= 8;
      uint64_t word = 0;
      for (unsigned i = 0; i < bytes; i++) word |= uint64_t{static_cast<uint8_t>((at + i) * 7 + length * 31)} << (8 * i);
      top.data_i = word;
      clk.look();
      if (top.done_o) return clk.cycle - start;
      if (top.valid_i && top.ready_o) {
        sent = left <= 8;
        at += bytes;
      }
      clk.tick();
      if (most > 0 && clk.cycle - start >= most) return most;
      if (clk.cycle - start > 100000) fail("no digest", clk.cycle);
    }
  }

  void wipe() {
    clk.top->wipe_i = 1;
    for (int i = 0; i < 16; i++) clk.tick();
    clk.top->wipe_i = 0;
    clk.look();
    if (clk.top->done_o || clk.top->ready_o) fail("not idle after the wiping", clk.cycle);
  }

  void check(const std::string& digest) {
    for (unsigned i = 0; i < 64; i++) {
      unsigned byte = clk.top->digest_o[i / 4] >> (8 * (i % 4)) & 255;
      if (byte != std::stoul(digest.substr(2 * i, 2), nullptr, 16)) fail("wrong digest", clk.cycle);
    }
  }
};

// A message of 32 bytes.
int wave() {
  Bench bench;
  Vtop& top = *bench.clk.top;
  top.start_i = top.wipe_i = top.valid_i = 0;
  bench.clk.reset();
  Wave wave;
  wave.bit("start_i", [&] { return top.start_i; });
  wave.bit("valid_i", [&] { return top.valid_i; });
  wave.bit("ready_o", [&] { return top.ready_o; });
  wave.bus("bytes_i", [&] { return top.bytes_i; }, [&] { return top.valid_i; });
  wave.bit("last_i", [&] { return top.valid_i && top.last_i; });
  wave.space();
  wave.bit("done_o", [&] { return top.done_o; });
  bench.clk.watch = [&] { wave.sample(); };
  bench.hash(0, 32, "", 0);
  bench.clk.tick();
  wave.print("sha512: a message of 32 bytes, its digest 82 cycles after the start");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  std::ifstream file("rtl/sha512/bench/vectors.txt");
  Bench bench;
  bench.clk.top->start_i = 0;
  bench.clk.top->wipe_i = 0;
  bench.clk.top->valid_i = 0;
  bench.clk.reset();
  unsigned cases = 0;
  uint64_t one = 0, two = 0;
  for (std::string line; std::getline(file, line); cases++) {
    std::istringstream text(line);
    unsigned from, length;
    std::string digest, midstate;
    text >> from >> length >> digest >> midstate;
    uint64_t cycles = bench.hash(from, length, midstate, 0);
    bench.check(digest);
    if (from == 0 && length == 32) one = cycles;
    if (from == 0 && length == 160) two = cycles;
    bench.hash(from, length, midstate, 2 + cases % 4);
    bench.check(digest);
    // A reset of one cycle, behind a digest or in the middle; the next hash begins at once.
    if (cases % 2 == 0) bench.hash(from, length, midstate, 0, 1 + bench.random.next() % 160);
    if (cases % 2 == 0 || cases % 16 == 1) bench.clk.reset(1);
    if (cases % 16 == 8) bench.wipe();
  }
  if (cases < 200) fail("vectors.txt is not there", 0);
  report("sha512-32", one, one, 1);
  report("sha512-160", two, two, 1);
}
