// SPDX-License-Identifier: Apache-2.0 OR MIT
// ed25519 at any parameter point on cases made with another implementation (vectors.txt, or the file in ED25519_VECTORS):
// at full speed, with random stalls, and after a reset in the middle of an operation.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "clocked.h"

namespace {

struct Word {
  uint64_t data;
  unsigned bytes, last;
};

struct Case {
  unsigned op = 0, ok = 0;
  std::string name;
  std::vector<Word> in;
  std::vector<uint64_t> out;
};

struct Result {
  bool ok = false;
  uint64_t cycles = 0, products = 0;
  std::vector<uint64_t> out;
};

std::vector<Case> load(const char* path) {
  std::ifstream file(path);
  if (!file) {
    fprintf(stderr, "FAILED: cannot read %s\n", path);
    exit(1);
  }
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    Case c;
    text >> c.op >> c.ok >> c.name;
    bool output = false;
    for (std::string token; text >> token;) {
      if (token == "=") {
        output = true;
      } else if (output) {
        c.out.push_back(std::stoull(token, nullptr, 16));
      } else {
        size_t a = token.find(':'), b = token.rfind(':');
        c.in.push_back({std::stoull(token.substr(0, a), nullptr, 16), static_cast<unsigned>(std::stoul(token.substr(a + 1))),
                        static_cast<unsigned>(std::stoul(token.substr(b + 1)))});
      }
    }
    cases.push_back(c);
  }
  return cases;
}

struct Bench {
  Clocked clk;
  Random random{7};

  void idle() {
    clk.top->cmd_valid_i = 0;
    clk.top->in_valid_i = 0;
    clk.top->out_ready_i = 0;
    clk.top->rsp_ready_i = 0;
  }

  // Runs an operation, each handshake held back with chance 1/stall (0: never); gives up after `limit` cycles.
  Result run(const Case& c, unsigned stall, uint64_t limit) {
    auto free = [&] { return stall == 0 || !random.one_in(stall); };
    Result r;
    size_t next = 0;
    bool accepted = false, offered = false;
    uint64_t start = 0, last = 0, begun = clk.cycle;
    while (clk.cycle - begun < limit) {
      auto& top = *clk.top;
      top.cmd_valid_i = !accepted;
      top.cmd_op_i = c.op;
      offered = accepted && next < c.in.size() && (offered || free());
      top.in_valid_i = offered;
      if (next < c.in.size()) {
        top.in_data_i = c.in[next].data;
        top.in_bytes_i = c.in[next].bytes;
        top.in_last_i = c.in[next].last;
      }
      top.out_ready_i = free();
      top.rsp_ready_i = free();
      clk.look();
      r.products += top.mul_busy_o;
      bool done = top.rsp_valid_o && top.rsp_ready_i;
      if (!accepted && top.cmd_ready_o) {
        accepted = true;
        start = clk.cycle;
      }
      if (offered && top.in_ready_o) {
        next++;
        offered = false;
      }
      if (top.out_valid_o && top.out_ready_i) {
        r.out.push_back(top.out_data_o);
        last = clk.cycle;
      }
      if (done) {
        r.ok = top.rsp_ok_o;
        r.cycles = (c.op == 2 ? clk.cycle : last) - start;
        clk.tick();
        idle();
        return r;
      }
      clk.tick();
    }
    idle();
    return r;
  }

  Result check(const Case& c, unsigned stall) {
    Result r = run(c, stall, 200000);
    if (r.ok != (c.ok != 0) || r.out != c.out) {
      fprintf(stderr, "op %u, %s: ", c.op, c.name.c_str());
      fail(r.ok != (c.ok != 0) ? "wrong verdict" : "wrong output", clk.cycle);
    }
    return r;
  }
};

}  // namespace

int main() {
  const char* path = getenv("ED25519_VECTORS");
  std::vector<Case> cases = load(path ? path : "rtl/ed25519/bench/vectors.txt");
  Bench bench;
  bench.idle();
  bench.clk.reset();
  const char* names[] = {"keygen", "sign", "verify"};
  uint64_t count[3] = {}, total[3] = {}, most[3] = {}, least[3] = {~0ull, ~0ull, ~0ull};
  for (const Case& c : cases) {
    Result r = bench.check(c, 0);
    if (c.name != "timed") continue;
    count[c.op]++;
    total[c.op] += r.cycles;
    most[c.op] = std::max(most[c.op], r.cycles);
    least[c.op] = std::min(least[c.op], r.cycles);
  }
  for (size_t i = 0; i < cases.size(); i += path ? 100 : 5) {
    bench.check(cases[i], 2 + i % 5);
    bench.run(cases[(i + 1) % cases.size()], 0, 1 + bench.random.next() % 1500);
    bench.clk.reset(1 + i % 2);
    bench.check(cases[i], 0);
  }
  for (unsigned op = 0; op < 3; op++) {
    if (count[op] == 0) continue;
    if (op < 2 && (FAST || FIXED_TIME) && least[op] != most[op]) fail("the count depends on the key or the message", 0);
    report(names[op], (total[op] + count[op] / 2) / count[op], most[op], 1);
  }
}
