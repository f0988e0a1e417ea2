// SPDX-License-Identifier: Apache-2.0 OR MIT
// The core on signatures made in software, by NIST and by the authors of the standard (vectors.txt): each is judged as it should be, with and
// without stalls, and nothing else is good: no bit changed, no word missing or too many, no wrong command, no garbage.
#include <algorithm>
#include <cstring>
#include <map>

#include "vectors.h"
#include "wave.h"

namespace {

constexpr unsigned kGood = 0x96, kBad = 0x69, kRefused = 0x0f;

struct Form {
  bool hss = false, xmss = false;
  Form() = default;
  Form(bool hss, bool xmss) : hss(hss), xmss(xmss) {}
  Form(const Case& c) : hss(c.hss), xmss(c.xmss) {}
};

// The stack's memory, whose word stands in the cycle with `stack_ready_i`; a bit of one of its reads may be another.
struct Stack {
  uint32_t words[128];
  uint64_t reads = 0, spoils = ~0ull;
  uint32_t mask = 0;
};

struct Core {
  Clocked clk;
  Random random{1};
  Stack stack;
  unsigned stall = 0;  // one in `stall` cycles without a word
  uint64_t cycles = 0;  // from the command to the answer

  explicit Core(unsigned stall) : stall(stall) {
    clk.top->cmd_valid_i = clk.top->in_valid_i = clk.top->rsp_ready_i = 0;
    clk.reset();
  }
  // A cycle, with the stack's memory.
  void tick() {
    auto& top = *clk.top;
    bool ready = stall == 0 || !random.one_in(stall);
    top.stack_ready_i = ready;
    clk.look();
    if (ready && top.stack_valid_o) {
      if (top.stack_address_o >= 96) fail("a word beyond the stack", top.stack_address_o);
      uint32_t& word = stack.words[top.stack_address_o];
      if (top.stack_write_o) word = top.stack_data_o;
      else top.stack_data_i = word ^ (stack.reads++ == stack.spoils ? stack.mask : 0);
      clk.look();
    }
    clk.tick();
  }
  void command(Form form, bool digest, uint64_t length) {
    stack.reads = 0;
    clk.top->cmd_valid_i = 1;
    clk.top->cmd_hss_i = form.hss;
    clk.top->cmd_xmss_i = form.xmss;
    clk.top->cmd_digest_i = digest;
    clk.top->cmd_length_i = length;
    clk.look();
    if (!clk.top->cmd_ready_o) fail("no command is taken", clk.cycle);
    tick();
    clk.top->cmd_valid_i = 0;
  }
  // Words until `stream` is through or the core has answered; the cycles are counted on.
  void words(const Bytes& stream, size_t last) {
    for (size_t at = 0; at < stream.size();) {
      bool shown = stall == 0 || !random.one_in(stall);
      clk.top->in_valid_i = shown;
      if (shown) memcpy(&clk.top->in_data_i, &stream[at], 4);
      clk.top->in_last_i = at == last;
      clk.look();
      bool taken = shown && clk.top->in_ready_o, answered = clk.top->rsp_valid_o;
      if (answered) return fail("an answer before the end of the stream", clk.cycle);
      tick();
      cycles++;
      if (taken) at += 4;
      if (cycles > 4'000'000) fail("it takes no words", clk.cycle);
    }
  }
  // The verdict on a stream whose last word has TLAST.
  unsigned run(Form form, bool digest, uint64_t length, const Bytes& stream) {
    cycles = 0;
    command(form, digest, length);
    words(stream, stream.size() - 4);
    clk.top->in_valid_i = 0;
    return answer();
  }
  unsigned answer() {
    for (;; cycles++) {
      clk.look();
      if (clk.top->rsp_valid_o) break;
      tick();
      if (cycles > 4'000'000) fail("no answer", clk.cycle);
    }
    unsigned verdict = clk.top->rsp_verdict_o;
    for (unsigned wait = stall ? random.next() % 5 : 0; wait > 0; wait--) {
      clk.tick();
      clk.look();
      if (!clk.top->rsp_valid_o || clk.top->rsp_verdict_o != verdict) fail("the answer changes", clk.cycle);
    }
    clk.top->rsp_ready_i = 1;
    clk.tick();
    clk.top->rsp_ready_i = 0;
    return verdict;
  }
  unsigned run(const Case& c) { return run(c, false, c.message.size(), c.stream()); }
};

// LMS for HSS and XMSS, HSS for LMS.
Form other_form(const Case& c) { return {!c.hss && !c.xmss, false}; }

void expect(const char* what, const Case& c, unsigned found, unsigned wanted) {
  if (found == wanted) return;
  fprintf(stderr, "%s, %s: %02x, not %02x\n", c.name.c_str(), what, found, wanted);
  fail("wrong verdict", 0);
}

void not_good(const char* what, const Case& c, unsigned found) {
  if (found == kBad || found == kRefused) return;
  fprintf(stderr, "%s, %s: %02x\n", c.name.c_str(), what, found);
  fail("it should not be good", 0);
}

// A signature that is bad may have a wrong typecode.
void judged(Core& core, const Case& c) {
  unsigned verdict = core.run(c);
  c.good ? expect("a good one", c, verdict, kGood) : not_good("a bad one", c, verdict);
}

Bytes cut(const Bytes& from, size_t count) { return Bytes(from.begin(), from.begin() + static_cast<long>(count)); }

// Bits of the stream that are read: in the last word of a message those behind it are not.
bool is_read(const Case& c, size_t byte) { return byte < c.at_message + c.message.size() || byte >= c.at_message + (c.message.size() + 3) / 4 * 4; }

void changed(Core& core, const Case& c, unsigned count) {
  Bytes whole = c.stream();
  for (unsigned i = 0; i < count; i++) {
    size_t bit = core.random.next() % (8 * whole.size());
    if (!is_read(c, bit / 8)) continue;
    Bytes other = whole;
    other[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    not_good("a bit changed", c, core.run(c, false, c.message.size(), other));
  }
}

// The words before the message and those before the path hold all that is compared with the key: each bit of them.
void every_bit_before_the_message(Core& core, const Case& c) {
  Bytes whole = c.stream();
  for (size_t bit = 0; bit < 8 * c.at_message; bit++) {
    Bytes other = whole;
    other[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    not_good("a bit before the message", c, core.run(c, false, c.message.size(), other));
  }
}

void lengths(Core& core, const Case& c, unsigned every) {
  Bytes whole = c.stream();
  for (size_t words = 1; words < whole.size() / 4; words += 1 + core.random.next() % every) {
    expect("a short stream", c, core.run(c, false, c.message.size(), cut(whole, 4 * words)), kRefused);
  }
  for (size_t more : {4, 8, 400}) {
    Bytes longer = whole;
    longer.resize(whole.size() + more, 0x5a);
    expect("a long stream", c, core.run(c, false, c.message.size(), longer), kRefused);
  }
  for (uint64_t more : {1ull, 4ull, 1ull << 32, 1ull << 59, 1ull << 60, 1ull << 63}) {
    expect("another length", c, core.run(c, false, c.message.size() + more, whole), more == 1 && c.message.size() % 4 ? kBad : kRefused);
  }
  expect("the other form", c, core.run(other_form(c), false, c.message.size(), whole), kRefused);
  expect("after all that", c, core.run(c), kGood);
}

// The digest in place of the message: good, and not with a bit changed or with the message.
void digests(Core& core, const Case& c) {
  Bytes whole = c.digest_stream();
  expect("its digest", c, core.run(c, true, c.message.size(), whole), kGood);
  Bytes other = whole;
  other[c.at_message - 1 - core.random.next() % 24] ^= 1;
  expect("another digest", c, core.run(c, true, 0, other), kBad);
  if (c.message.size() > 0) expect("the message for the digest", c, core.run(c, true, 0, c.stream()), kRefused);
}

void garbage(Core& core, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    Bytes noise(4 * (1 + core.random.next() % 200));
    for (uint8_t& byte : noise) byte = static_cast<uint8_t>(core.random.next());
    if (i % 2) memcpy(noise.data(), "\0\0\0\x0a", 4);
    if (i % 2 && noise.size() > 8) memcpy(&noise[4], "\0\0\0\x07", 4);
    unsigned verdict = core.run(Form(core.random.one_in(3), core.random.one_in(4)), core.random.one_in(3), core.random.next() % 100, noise);
    if (verdict != kRefused) fail("garbage is not refused", i);
  }
}

void resets(Core& core, const Case& c, unsigned count) {
  Bytes whole = c.stream();
  for (unsigned i = 0; i < count; i++) {
    core.cycles = 0;
    core.command(c, false, c.message.size());
    core.words(cut(whole, 4 * (1 + core.random.next() % (whole.size() / 4 - 1))), whole.size());
    core.clk.top->in_valid_i = 0;
    for (unsigned left = core.random.next() % 200; left > 0; left--) core.clk.tick();
    core.clk.reset(1);
    expect("after a reset", c, core.run(c), kGood);
  }
}

// A bit of each part of XMSS: OID, root and SEED, idx_sig, r, message, some values of chains, each node of the path.
void each_part(Core& core, const Case& c) {
  Bytes whole = c.stream();
  size_t n = (c.key.size() - 4) / 2, at_chains = c.at_message + (c.message.size() + 3) / 4 * 4, at_path = at_chains + n * (2 * n + 3);
  std::vector<size_t> places = {3, 5, 4 + n, c.key.size() - 1, c.key.size() + 3, c.at_message - n, c.at_message};
  for (size_t at = at_chains; at < at_path; at += 9 * n) places.push_back(at);
  for (size_t at = at_path; at < whole.size(); at += n) places.push_back(at);
  for (size_t at : places) {
    Bytes other = whole;
    other[at] ^= static_cast<uint8_t>(1 << core.random.next() % 8);
    not_good("a bit of a part", c, core.run(c, false, c.message.size(), other));
  }
}

// A number that one bit makes too large for the tree: q or idx_sig.
void beyond(Core& core, const Case& c) {
  if (c.hss || !c.good) return;
  unsigned height = (c.xmss ? Shape::of_xmss(c.key) : Shape(c.key, 0)).height;
  for (unsigned bit = height; bit < 32; bit++) {
    Bytes other = c.stream();
    other[c.key.size() + 3 - bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    expect("a number beyond the tree", c, core.run(c, false, c.message.size(), other), kRefused);
  }
}

// What comes back from the stack differs in a bit from what was put there.
void stack_changed(Core& core, const Case& c, unsigned count) {
  core.run(c, true, 0, c.digest_stream());
  uint64_t reads = core.stack.reads;
  if (reads == 0) fail("no stack", 0);
  for (unsigned i = 0; i < count; i++) {
    core.stack.spoils = core.random.next() % reads;
    core.stack.mask = 1u << core.random.next() % 32;
    expect("a stack that was changed", c, core.run(c, true, 0, c.digest_stream()), kRefused);
  }
  core.stack.spoils = ~0ull;
  expect("the stack as it was", c, core.run(c, true, 0, c.digest_stream()), kGood);
}

// Cycles are part of the contract.
const std::map<std::string, uint64_t> kMeans = {
    {"LMS_SHA256_M24_H10_W4", 29'133}, {"LMS_SHA256_M24_H10_W8", 224'949}, {"LMS_SHA256_M32_H10_W4", 36'969}, {"LMS_SHA256_M32_H10_W8", 288'698},
    {"XMSS-SHA2_10_192", 177'490}, {"XMSS-SHA2_10_256", 180'006}};

struct Measured {
  uint64_t sum = 0, most = 0;
  unsigned count = 0;
};

// A key with a typecode that is none, and a stream of six words.
int wave() {
  Core core(0);
  Vtop& top = *core.clk.top;
  Wave wave;
  wave.bit("cmd_valid_i", [&] { return top.cmd_valid_i; });
  wave.bit("cmd_ready_o", [&] { return top.cmd_ready_o; });
  wave.space();
  wave.bit("in_valid_i", [&] { return top.in_valid_i; });
  wave.bit("in_ready_o", [&] { return top.in_ready_o; });
  wave.bit("in_last_i", [&] { return top.in_valid_i && top.in_last_i; });
  wave.space();
  wave.bit("rsp_valid_o", [&] { return top.rsp_valid_o; });
  wave.bit("rsp_ready_i", [&] { return top.rsp_ready_i; });
  wave.bus("rsp_verdict_o", [&] { return top.rsp_verdict_o; }, [&] { return top.rsp_valid_o; });
  core.clk.watch = [&] { wave.sample(); };
  core.run(Form(), false, 4, Bytes(24));
  core.clk.tick();
  wave.print("hbs_verify: a key with a typecode that is none, refused behind the last word");
  return 0;
}

// Every signature, those that the cycles are said of once, the others with stalls too.
void all_judged(const std::vector<Case>& cases) {
  std::map<std::string, Measured> measured;
  Core core(0), slow(2), slower(7);
  for (const Case& c : cases) {
    judged(core, c);
    if (c.name.rfind("measured-", 0) == 0) {
      Measured& m = measured[c.name.substr(9)];
      m.sum += core.cycles;
      m.most = std::max(m.most, core.cycles);
      m.count++;
    } else if (XMSS) {
      judged(slow, c);
      judged(slower, c);
    }
  }
  for (const auto& [name, m] : measured) {
    uint64_t mean = (m.sum + m.count / 2) / m.count;
    if (kMeans.at(name) != mean) fail("another number of cycles", mean);
    report(("verify-" + name).c_str(), mean, m.most, 1);
  }
}

const Case& named(const std::vector<Case>& cases, const std::string& name, size_t bytes) {
  return *std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.name == name && c.message.size() == bytes; });
}

// Some of all, with stalls: each mutant and each fault takes it.
int some(const std::vector<Case>& cases, const Case& one, const Case& small) {
  Core core(0), slow(3);
  garbage(core, 300);
  std::map<std::string, unsigned> seen;
  for (const Case& c : cases) {
    if (c.name.rfind("measured-", 0) == 0 || seen[c.name]++ >= 2) continue;
    bool w8 = c.name.find("W8") != std::string::npos;
    judged(w8 ? core : slow, c);
    beyond(core, c);
  }
  for (const Case& c : {one, small}) {
    digests(slow, c);
    lengths(core, c, 400);
  }
  changed(core, one, 24);
  resets(core, one, 6);
  stack_changed(slow, small, 3);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "wave") return wave();
  std::vector<Case> cases = load_cases("rtl/hbs_verify/bench/vectors.txt");
  const Case one = named(cases, "LMS_SHA256_M24_H5_W4", 3), small = named(cases, "XMSS-SHA2_10_192", 43), large = named(cases, "XMSS-SHA2_10_256", 55);
  if (getenv("HASTEN_SHORT") != nullptr) return some(cases, one, small);
  Core core(0);
  if (!XMSS) {
    expect("no XMSS", small, core.run(small), kRefused);
    cases.erase(std::remove_if(cases.begin(), cases.end(), [](const Case& c) { return c.xmss; }), cases.end());
  }
  all_judged(cases);
  if (!XMSS) return 0;
  for (const Case& c : cases) beyond(core, c);
  for (const Case& c : cases) {
    if (!c.good || c.xmss || c.name.find("W8") != std::string::npos || c.name.rfind("measured-", 0) == 0) continue;
    digests(core, c);
    changed(core, c, 6);
    lengths(core, c, 400);
  }
  for (const Case& c : {small, large}) {
    digests(core, c);
    each_part(core, c);
    lengths(core, c, 400);
    stack_changed(core, c, 12);
  }
  every_bit_before_the_message(core, one);
  lengths(core, one, 4);
  resets(core, one, 100);
  resets(core, small, 6);
  garbage(core, 2'000);
}
