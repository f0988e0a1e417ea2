// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs the program HASTEN_PROGRAM, an ELF file for RV32, with code from 0x0010_0000 on and RAM from 0 on. The program speaks to the
// host: a byte for its standard output, or its end. The host counts cycles by what they were spent on, and answers with the counters.
// HASTEN_PROFILE names a file for the cycles of each address, in the parts between two looks at them. With HASTEN_PORTS the ports of
// every cycle go to standard output (crates/hwflow/src/energy/programs.rs), and what the program says to standard error; with HASTEN_FROM
// and HASTEN_TO the cycles from there to there are the one part, and the end. Without a program a loop of six instructions runs.
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "Vtop___024root.h"
#include "clocked.h"

namespace {
constexpr uint32_t kCode = 0x00100000, kRam = 1 << 20;
constexpr uint32_t kEnd = 0x80000000, kText = 0x80000004, kSpent = 0x80000010;
constexpr uint64_t kMost = 2'000'000'000;

#define TRACED(signal) (top->rootp->asip__DOT__u_processor__DOT__u_core__DOT__u_trace__DOT__##signal)

// The ports but the clock.
#define PORTS(port)                                                                                                                 \
  port(rst_ni) port(code_o) port(code_address_o) port(code_i) port(ram_o) port(ram_write_o) port(ram_address_o) port(ram_enable_o) \
      port(ram_written_o) port(ram_read_i) port(host_o) port(host_write_o) port(host_address_o) port(host_written_o) port(host_read_i)
#define NAME(port) " " #port
#define VALUE(port) top->port,

struct Machine : Clocked {
  std::vector<uint8_t> code = std::vector<uint8_t>(kRam), ram = std::vector<uint8_t>(kRam);
  bool ended = false;
  uint32_t status = 0;
  // Cycles up to the end of each instruction: of loads and stores, with one of each of the unit's; of those that wait for the unit; of
  // all others.
  uint32_t spent[3] = {}, since = 0;
  bool profiles = getenv("HASTEN_PROFILE") != nullptr;
  uint32_t part = 0;  // of the program, up to the next look at the counters
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> profile;

  Machine() {
    top->code_i = 0;
    top->ram_read_i = 0;
    top->host_read_i = 0;
  }

  FILE* text = stdout;
  uint64_t from = number("HASTEN_FROM"), to = number("HASTEN_TO");

  static uint64_t number(const char* name) { return getenv(name) ? strtoull(getenv(name), nullptr, 10) : 0; }

  // Writes every cycle, with the part of the program and the accesses to the memories.
  void record() {
    text = stderr;
    puts(".part .fetch .read .write #moving #hashing #control" PORTS(NAME));
    watch = [this] {
      bool ram = top->ram_o && top->rst_ni, code = top->code_o && top->rst_ni;
      uint64_t now = to == 0 ? part : (cycle >= from) + (cycle >= to);
      uint64_t row[] = {now, code, ram && !top->ram_write_o, ram && top->ram_write_o, spent[0], spent[1], spent[2], PORTS(VALUE)};
      fwrite(row, sizeof row, 1, stdout);
    };
  }

  uint8_t* place(uint32_t address, uint32_t size) {
    if (address >= kCode && address - kCode + size <= kRam) return &code[address - kCode];
    if (address + size <= kRam) return &ram[address];
    fail("the program lies outside of the memories", address);
    return nullptr;
  }

  // The segments of an ELF file.
  void load(const std::vector<uint8_t>& file) {
    auto word = [&](size_t at) {
      uint32_t value = 0;
      if (at + 4 > file.size()) fail("the program is cut off", at);
      memcpy(&value, &file[at], 4);
      return value;
    };
    auto half = [&](size_t at) { return word(at) & 0xffff; };
    if (word(0) != 0x464c457f) fail("the program is not ELF", 0);
    for (uint32_t i = 0, at = word(28); i < half(44); i++, at += half(42)) {
      uint32_t offset = word(at + 4), address = word(at + 12), size = word(at + 16);
      if (word(at) != 1 || size == 0) continue;
      if (uint64_t(offset) + size > file.size()) fail("a segment is cut off", i);
      memcpy(place(address, size), &file[offset], size);
    }
  }

  // One cycle: memories answer what was asked in it.
  void step() {
    look();
    uint32_t code_at = top->code_address_o - kCode, ram_at = top->ram_address_o & ~7u;
    if (top->code_o && code_at + 4 > kRam) fail("an instruction from outside of the code", cycle);
    if (top->ram_o && ram_at + 8 > kRam) fail("data outside of the RAM", cycle);
    uint32_t instruction = 0;
    uint64_t data = top->ram_read_i;
    if (top->code_o) memcpy(&instruction, &code[code_at & ~3u], 4);
    if (top->ram_o) access(ram_at, data);
    if (top->host_o && top->host_write_o) host(top->host_address_o, top->host_written_o);
    uint32_t counter = top->host_address_o - kSpent;
    bool asked = top->host_o && !top->host_write_o && counter < sizeof spent;
    uint32_t answer = asked ? spent[counter / 4] : 0;
    part += asked && counter == 0;
    count();
    tick();
    top->host_read_i = answer;
    top->code_i = instruction;
    top->ram_read_i = data;
  }

  // The instruction that leaves the processor (asip_trace.sv).
  void count() {
    since++;
    if (!TRACED(retires)) return;
    bool of_unit = TRACED(of_unit), moves = TRACED(loads_or_stores);
    spent[0] += of_unit ? 1 : moves ? since : 0;
    spent[1] += of_unit ? since - 1 : 0;
    spent[2] += of_unit || moves ? 0 : since;
    if (profiles) profile[{part, TRACED(address)}] += since;
    since = 0;
  }

  void save_profile() {
    if (!profiles) return;
    FILE* file = fopen(getenv("HASTEN_PROFILE"), "w");
    if (!file) fail("HASTEN_PROFILE cannot be written", 0);
    for (auto [place, cycles] : profile)
      fprintf(file, "%u %08x %llu\n", place.first, place.second, static_cast<unsigned long long>(cycles));
    fclose(file);
  }

  void access(uint32_t at, uint64_t& data) {
    if (!top->ram_write_o) {
      memcpy(&data, &ram[at], 8);
      return;
    }
    uint64_t written = top->ram_written_o;
    for (int i = 0; i < 8; i++)
      if (top->ram_enable_o >> i & 1) ram[at + i] = uint8_t(written >> 8 * i);
  }

  void host(uint32_t address, uint32_t value) {
    if (address == kText && putc(int(value & 0xff), text) == '\n') fflush(text);
    if (address == kEnd) ended = true, status = value;
  }
};

std::vector<uint8_t> contents(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) fail("HASTEN_PROGRAM cannot be read", 0);
  std::vector<uint8_t> bytes;
  for (int byte; (byte = fgetc(file)) != EOF;) bytes.push_back(uint8_t(byte));
  fclose(file);
  return bytes;
}

// li t0, 100; addi t0, t0, -1; bnez t0, -4; lui t1, 0x80000; sw zero, 0(t1); j 0
constexpr uint32_t kLoop[] = {0x06400293, 0xfff28293, 0xfe029ee3, 0x80000337, 0x00032023, 0x0000006f};
}  // namespace

int main() {
  Machine machine;
  const char* path = getenv("HASTEN_PROGRAM");
  if (path) machine.load(contents(path));
  else memcpy(&machine.code[0], kLoop, sizeof kLoop);
  if (getenv("HASTEN_PORTS")) machine.record();
  machine.context->assertOn(false);  // the processor asserts what holds from its reset on
  machine.reset();
  machine.context->assertOn(true);
  while (!machine.ended && machine.cycle < (machine.to ? machine.to + 1 : kMost)) machine.step();
  if (machine.to && !machine.ended) return 0;
  machine.save_profile();
  if (!machine.ended) fail("the program does not end", machine.cycle);
  if (machine.status != 0) fail(machine.status == 1 ? "the program says that something is wrong" : "the program ends in a trap", machine.cycle);
  if (!path) report("loop", machine.cycle, machine.cycle, 1);
}
