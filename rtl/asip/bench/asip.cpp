// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs the program HASTEN_PROGRAM, an ELF file for RV32, with code from 0x0010_0000 on and RAM from 0 on. The program speaks to the
// host: a byte for its standard output, or its end. The host counts cycles by what they were spent on, and answers with the counters.
// HASTEN_PROFILE names a file for the cycles of each address, in the parts between two looks at them. With HASTEN_PORTS the ports of
// every cycle go to standard output (crates/hwflow/src/energy/programs.rs), and what the program says to standard error; with HASTEN_FROM
// and HASTEN_TO the cycles from there to there are the one part, and the end. HASTEN_EVENTS names a file for the instructions and stores
// (retired.h); the program's output is then left to the model that reads them. With STALLS = 1 HASTEN_STALLS is the seed of random cycles
// in which a memory grants nothing, and with HASTEN_WITHHELD beside the refined stage the RAM grants nothing for so many cycles of 4,096.
// Without a program a loop of six instructions runs.
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>

#include "Vtop___024root.h"
#include "clocked.h"
#include "elf.h"
#include "retired.h"

#ifndef LANES
#define LANES 0
#endif
#ifndef STALLS
#define STALLS 0
#endif

namespace {
constexpr uint32_t kCode = 0x00100000, kRam = 1 << 20;
constexpr uint32_t kEnd = 0x80000000, kText = 0x80000004, kSpent = 0x80000010;
constexpr uint32_t kFast = LANES == 4 ? 65536 : kRam;  // code from there on answers a cycle later
constexpr uint64_t kMost = 2'000'000'000;

#ifndef TRACED
#define TRACED(signal) (top->rootp->asip__DOT__u_processor__DOT__u_core__DOT__u_trace__DOT__##signal)
#endif
// Cycles in which an instruction of the unit waits for it.
#ifndef WAITED
#define WAITED (since - 1)
#endif

// The ports but the clock.
#define PORTS(port)                                                                                                              \
  port(rst_ni) port(code_o) port(code_address_o) port(code_i) port(code_ready_i) port(ram_o) port(ram_write_o) port(ram_address_o) \
      port(ram_enable_o) port(ram_ready_i) port(host_o) port(host_write_o) port(host_address_o) port(host_written_o)               \
      port(host_read_i)
#define NAME(port) " " #port
#define VALUE(port) top->port,

// A word of the RAM.
constexpr uint32_t kWord = LANES == 4 ? 16 : 8;
using Word = std::array<uint64_t, 2>;

template <class Port>
Word word(const Port& port) {
  Word word = {};
  memcpy(&word, &port, kWord);
  return word;
}

struct Machine : Clocked {
  std::vector<uint8_t> code = std::vector<uint8_t>(kRam), ram = std::vector<uint8_t>(kRam);
  bool ended = false;
  uint32_t status = 0;
  // Cycles up to the end of each instruction: of loads and stores, with those of the unit's instructions in which they do not wait for
  // it; of those that wait for the unit; of all others.
  uint32_t spent[3] = {}, since = 0;
  bool profiles = getenv("HASTEN_PROFILE") != nullptr;
  uint32_t part = 0;  // of the program, up to the next look at the counters
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> profile;
  uint64_t retired = 0;  // events told
  uint32_t late = 0;     // an instruction that comes a cycle later
  Events events{getenv("HASTEN_EVENTS")};
  const char* stalls = getenv("HASTEN_STALLS");
  uint64_t withheld = number("HASTEN_WITHHELD");
  Random random{stalls ? strtoull(stalls, nullptr, 10) : 0};

  Machine() {
    if (events.cannot()) fail("HASTEN_EVENTS cannot be written", 0);
    if (stalls && !STALLS) fail("this machine has no stalls", 0);
    top->code_ready_i = 1;
    top->ram_ready_i = 1;
    top->code_i = 0;
    memset(&top->ram_read_i, 0, kWord);
    top->host_read_i = 0;
  }

  FILE* text = stdout;
  uint64_t from = number("HASTEN_FROM"), to = number("HASTEN_TO");

  static uint64_t number(const char* name) { return getenv(name) ? strtoull(getenv(name), nullptr, 10) : 0; }

  // Writes every cycle, with the part of the program and the accesses to the memories.
  void record() {
    text = stderr;
    puts(".part .fetch .fast .read .write #moving #hashing #control ram_written_o ram_written_o+64 ram_read_i ram_read_i+64" PORTS(NAME));
    watch = [this] {
      bool code = top->code_o && top->rst_ni, fast = kFast < kRam && top->code_address_o - kCode < kFast;
      uint64_t ram = macros(), reads = top->ram_write_o ? 0 : ram;
      Word written = word(top->ram_written_o), read = word(top->ram_read_i);
      uint64_t now = to == 0 ? part : (cycle >= from) + (cycle >= to);
      uint64_t row[] = {now,       code && !fast, code && fast, reads,      ram - reads, spent[0],
                        spent[1],  spent[2],      written[0],   written[1], read[0],     read[1],
                        PORTS(VALUE)};
      fwrite(row, sizeof row, 1, stdout);
    };
  }

  // How many macros of 64 bits the RAM has at work.
  uint64_t macros() const {
    if (!top->ram_o || !top->rst_ni) return 0;
    return ((top->ram_enable_o & 0xff) != 0) + (top->ram_enable_o >> 8 != 0);
  }

  uint8_t* place(uint32_t address, uint32_t size) {
    if (address >= kCode && address - kCode + size <= kRam) return &code[address - kCode];
    if (address + size <= kRam) return &ram[address];
    fail("the program lies outside of the memories", address);
    return nullptr;
  }

  void load(const std::vector<uint8_t>& file) {
    auto take = [&](uint32_t address, const uint8_t* bytes, uint32_t size) { memcpy(place(address, size), bytes, size); };
    std::string wrong = segments(file, take);
    if (!wrong.empty()) fail(wrong.c_str(), 0);
  }

  // Memories grant nothing in one cycle of three, for a while, and then for a while in seven of eight. The refined stage has to write a
  // result within half a compression (rtl/xmss/chain_core.sv): beside it only the code is late, but for HASTEN_WITHHELD.
  void stall() {
    bool often = cycle >> 6 & 1;
    top->code_ready_i = often ? random.one_in(8) : !random.one_in(3);
    top->ram_ready_i = STAGE == 2 ? cycle % 4096 >= withheld : often ? random.one_in(8) : !random.one_in(3);
  }

  // One cycle: memories answer what was asked in it.
  void step() {
    if (stalls) stall();
    look();
    uint32_t code_at = top->code_address_o - kCode, ram_at = top->ram_address_o & ~(kWord - 1);
    if (top->code_o && code_at + 4 > kRam) fail("an instruction from outside of the code", cycle);
    if (top->ram_o && ram_at + kWord > kRam) fail("data outside of the RAM", cycle);
    uint32_t instruction = late;
    bool fetches = top->code_o && top->code_ready_i;
    Word data = word(top->ram_read_i);
    if (fetches) memcpy(code_at < kFast ? &instruction : &late, &code[code_at & ~3u], 4);
    if (top->ram_o && top->ram_ready_i) access(ram_at, data);
    if (top->host_o && top->host_write_o) host(top->host_address_o, top->host_written_o);
    uint32_t counter = top->host_address_o - kSpent;
    bool asked = top->host_o && !top->host_write_o && counter < sizeof spent;
    uint32_t answer = asked ? spent[counter / 4] : 0;
    part += asked && counter == 0;
    count();
    if (events.on()) tell();
    tick();
    top->host_read_i = answer;
    top->code_i = instruction;
    memcpy(&top->ram_read_i, &data, kWord);
  }

  // The instruction that leaves the processor (asip_trace.sv).
  void count() {
    since++;
    if (!TRACED(retires)) return;
    bool of_unit = TRACED(of_unit), moves = TRACED(loads_or_stores);
    uint32_t waited = of_unit ? WAITED : 0;
    spent[0] += of_unit || moves ? since - waited : 0;
    spent[1] += waited;
    spent[2] += of_unit || moves ? 0 : since;
    if (profiles) profile[{part, TRACED(address)}] += since;
    since = 0;
  }

  // A store that is granted, and the instruction that leaves the processor.
  void tell() {
    if (TRACED(stores)) events.add({Event::kStored, TRACED(stored_at), TRACED(stored_enable), TRACED(stored)});
    if (!TRACED(retires) || !TRACED(is_last)) return;
    retired++;
    events.add({Event::kRetired, TRACED(address), TRACED(writes) ? TRACED(written) : 0u, TRACED(value)});
  }

  // The store that ends the program is still to retire.
  void drain() {
    uint64_t before = retired, limit = cycle + 1000;
    while (retired == before && cycle < limit) step();
  }

  // The RAM as it is after the end.
  void tell_ram() {
    for (uint32_t at = 0; events.on() && at < kRam; at += 4) {
      uint32_t word;
      memcpy(&word, &ram[at], 4);
      events.add({Event::kHolds, at, 0, word});
    }
  }

  void save_profile() {
    if (!profiles) return;
    FILE* file = fopen(getenv("HASTEN_PROFILE"), "w");
    if (!file) fail("HASTEN_PROFILE cannot be written", 0);
    for (auto [place, cycles] : profile)
      fprintf(file, "%u %08x %llu\n", place.first, place.second, static_cast<unsigned long long>(cycles));
    fclose(file);
  }

  void access(uint32_t at, Word& data) {
    if (!top->ram_write_o) {
      memcpy(&data, &ram[at], kWord);
      return;
    }
    Word written = word(top->ram_written_o);
    for (uint32_t i = 0; i < kWord; i++)
      if (top->ram_enable_o >> i & 1) ram[at + i] = uint8_t(written[i / 8] >> 8 * (i % 8));
  }

  void host(uint32_t address, uint32_t value) {
    if (address == kText && !events.on() && putc(int(value & 0xff), text) == '\n') fflush(text);
    if (address == kEnd) ended = true, status = value;
  }
};

// li t0, 100; addi t0, t0, -1; bnez t0, -4; lui t1, 0x80000; sw zero, 0(t1); j 0
constexpr uint32_t kLoop[] = {0x06400293, 0xfff28293, 0xfe029ee3, 0x80000337, 0x00032023, 0x0000006f};
}  // namespace

int main() {
  Machine machine;
  const char* path = getenv("HASTEN_PROGRAM");
  if (path) machine.load(contents(path));
  else memcpy(&machine.code[0], kLoop, sizeof kLoop);
  if (getenv("HASTEN_PORTS")) machine.record();
  // The standard output may have the events: an assertion that fails speaks to the standard error.
  if (machine.events.on()) dup2(STDERR_FILENO, STDOUT_FILENO);
  machine.context->assertOn(false);  // the processor asserts what holds from its reset on
  machine.reset();
  machine.context->assertOn(true);
  while (!machine.ended && machine.cycle < (machine.to ? machine.to + 1 : kMost)) machine.step();
  if (machine.to && !machine.ended) return 0;
  if (machine.events.on()) machine.drain();
  machine.save_profile();
  machine.tell_ram();
  if (machine.events.cannot()) fail("HASTEN_EVENTS cannot be written", machine.cycle);
  if (!machine.ended) fail("the program does not end", machine.cycle);
  if (machine.status != 0) fail(machine.status == 1 ? "the program says that something is wrong" : "the program ends in a trap", machine.cycle);
  if (!path) report("loop", machine.cycle, machine.cycle, 1);
}
