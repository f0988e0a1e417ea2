// SPDX-License-Identifier: Apache-2.0 OR MIT
// Lock-step: runs the program argv[1] on Spike, one instruction for each that a machine of rtl/asip retires (events of retired.h on the
// standard input), and compares after each of them pc, all registers and the bytes that were stored, and at the end the RAM. argv[2] names
// the instructions, and argv[3] is "shake" where the unit has SHAKE. Spike takes from the machine what only a machine knows: cycles, and
// what the host answers.
// HASTEN_FAULT=KIND,N turns a bit of the N-th event of a kind, which is to be found.
#include <cstdlib>
#include <deque>
#include <map>

#include "elf.h"
#include "retired.h"
#include "riscv/cfg.h"
#include "riscv/extension.h"
#include "riscv/memtracer.h"
#include "riscv/mmu.h"
#include "riscv/processor.h"
#include "riscv/simif.h"
#include "shake_model.h"

namespace {
constexpr uint32_t kCode = 0x00100000, kRam = 1 << 20, kHost = 0x80000000, kText = 0x80000004;
constexpr uint32_t kCustom0 = 0x0b, kSystem = 0x73;

[[noreturn]] void fail(const std::string& what) {
  fprintf(stderr, "FAILED: %s\n", what.c_str());
  exit(1);
}

std::string hex(uint32_t value) {
  char text[16];
  snprintf(text, sizeof text, "%08x", value);
  return text;
}

struct Byte {
  uint32_t address, value;
};

// Code, RAM and host. Stores are noted as they come; the RAM has the bytes once the instruction is done.
struct Memories : simif_t, memtracer_t {
  std::vector<uint8_t> code = std::vector<uint8_t>(kRam), ram = std::vector<uint8_t>(kRam);
  std::deque<Byte> stored;
  cfg_t cfg;
  std::map<size_t, processor_t*> harts;

  char* addr_to_mem(reg_t at) override {
    if (at >= kCode && at < kCode + kRam) return reinterpret_cast<char*>(&code[at - kCode]);
    return at < kRam ? reinterpret_cast<char*>(&ram[at]) : nullptr;
  }
  bool mmio_load(reg_t at, size_t size, uint8_t* bytes) override {
    memset(bytes, 0, size);
    return at >= kHost;
  }
  bool mmio_store(reg_t at, size_t size, const uint8_t* bytes) override {
    for (size_t i = 0; i < size; i++) stored.push_back({uint32_t(at + i), bytes[i]});
    if (at == kText) putchar(bytes[0]);
    return at >= kHost;
  }
  bool interested_in_range(uint64_t, uint64_t, access_type type) override { return type == STORE; }
  void trace(uint64_t at, size_t size, access_type type) override {
    for (size_t i = 0; type == STORE && at < kHost && i < size; i++) stored.push_back({uint32_t(at + i), 0});
  }
  void clean_invalidate(uint64_t, size_t, bool, bool) override {}
  void proc_reset(unsigned) override {}
  const cfg_t& get_cfg() const override { return cfg; }
  const std::map<size_t, processor_t*>& get_harts() const override { return harts; }
  const char* get_symbol(uint64_t) override { return nullptr; }

  void load(const char* path) {
    auto take = [&](uint32_t address, const uint8_t* bytes, uint32_t size) {
      if (address >= kCode && uint64_t(address) - kCode + size <= kRam) memcpy(&code[address - kCode], bytes, size);
      else if (uint64_t(address) + size <= kRam) memcpy(&ram[address], bytes, size);
      else fail("the program lies outside of the memories");
    };
    std::string wrong = segments(contents(path), take);
    if (!wrong.empty()) fail(wrong);
  }
};

// The unit, told to Spike as an extension.
struct Custom : extension_t {
  static inline UnitModel* unit;

  Custom(std::vector<uint8_t>& ram, bool shake) {
    if (shake) unit = new ShakeUnit(ram);
    else unit = new Unit(ram);
  }

  static reg_t execute(processor_t* processor, insn_t instruction, reg_t pc) {
    uint32_t bits = uint32_t(instruction.bits()), which = bits >> 12 & 7, result;
    auto& registers = processor->get_state()->XPR;
    uint32_t first = uint32_t(registers[instruction.rs1()]), second = uint32_t(registers[instruction.rs2()]);
    if (!unit->execute(which, bits >> 25, first, second, result)) fail("the model does not know the unit's instruction " + hex(bits));
    if (which == UnitModel::kGet || which == UnitModel::kWait) registers.write(instruction.rd(), sreg_t(int32_t(result)));
    return pc + 4;
  }
  std::vector<insn_desc_t> get_instructions(const processor_t&) override {
    return {{kCustom0, 0x7f, execute, execute, execute, execute, execute, execute, execute, execute}};
  }
  std::vector<disasm_insn_t*> get_disasms(const processor_t*) override { return {}; }
  const char* name() const override { return "unit"; }
};

struct Lockstep {
  Memories memories;
  Custom custom;
  processor_t* model = nullptr;
  uint32_t registers[32] = {};     // of the machine, as far as it says
  std::deque<Byte> stored;         // by the machine
  uint64_t instructions = 0, stores = 0, of_unit = 0;

  Lockstep(const char* program, const char* isa, bool shake) : custom(memories.ram, shake) {
    memories.load(program);
    memories.cfg.isa = isa;
    memories.cfg.priv = "m";
    memories.cfg.pmpregions = 0;
    memories.cfg.trigger_count = 0;
    memories.cfg.hartids = {0};
    FILE* log = fopen("/dev/null", "w");
    model = new processor_t(isa, "m", &memories.cfg, &memories, 0, false, log, std::cerr);
    model->register_extension(&custom);
    model->reset();
    model->get_mmu()->register_memtracer(&memories);
    model->get_state()->pc = kCode;
  }

  void take(const Event& event) {
    if (event.kind == Event::kRetired) return retire(event);
    if (event.kind == Event::kHolds) return hold(event);
    stores++;
    for (uint32_t i = 0; i < 4; i++)
      if (event.which >> i & 1) stored.push_back({(event.address & ~3u) + i, event.value >> 8 * i & 255});
  }

  uint32_t fetched(uint32_t pc) const {
    uint32_t word = 0;
    if (pc >= kCode && pc - kCode + 4 <= kRam) memcpy(&word, &memories.code[pc - kCode], 4);
    return word;
  }

  [[noreturn]] void differ(uint32_t pc, const std::string& what, uint32_t machine, uint32_t model) const {
    fail("instruction " + std::to_string(instructions) + " at " + hex(pc) + " (" + hex(fetched(pc)) + "): " + what + " is " + hex(machine) +
         " on the machine and " + hex(model) + " on Spike");
  }

  void retire(const Event& event) {
    state_t* state = model->get_state();
    uint32_t pc = uint32_t(state->pc), word = fetched(pc);
    if (event.address != pc) differ(pc, "pc", event.address, pc);
    bool asks_host = from_host(word);
    model->step(1);
    instructions++;
    of_unit += (word & 0x7f) == kCustom0;
    if (event.which) registers[event.which] = event.value;
    if (event.which && (asks_host || reads_cycles(word))) state->XPR.write(event.which, sreg_t(int32_t(event.value)));
    for (uint32_t i = 1; i < 32; i++)
      if (uint32_t(state->XPR[i]) != registers[i]) differ(pc, "x" + std::to_string(i), registers[i], uint32_t(state->XPR[i]));
    for (; !memories.stored.empty(); memories.stored.pop_front()) {
      Byte expected = memories.stored.front();
      if (expected.address < kRam) expected.value = memories.ram[expected.address];
      if (stored.empty()) differ(pc, "what is stored", 0, expected.address);
      Byte got = stored.front();
      stored.pop_front();
      if (got.address != expected.address) differ(pc, "an address", got.address, expected.address);
      if (got.value != expected.value) differ(pc, "a byte stored", got.value, expected.value);
    }
  }

  // mcycle, cycle, and their upper halves.
  static bool reads_cycles(uint32_t word) { return (word & 0x7f) == kSystem && (word >> 12 & 3) && ((word >> 20 & ~0x80u) == 0xb00 || (word >> 20 & ~0x80u) == 0xc00); }

  // A load from the host, before it is done.
  bool from_host(uint32_t word) const {
    if ((word & 0x7f) == 0x03) return uint32_t(model->get_state()->XPR[word >> 15 & 31] + (int32_t(word) >> 20)) >= kHost;
    if ((word & 0xe003) == 0x4000) {  // c.lw
      uint32_t offset = (word >> 7 & 0x38) | (word >> 4 & 4) | (word << 1 & 0x40);
      return uint32_t(model->get_state()->XPR[8 + (word >> 7 & 7)] + offset) >= kHost;
    }
    return false;
  }

  void hold(const Event& event) const {
    uint32_t word = 0;
    if (event.address + 4 <= kRam) memcpy(&word, &memories.ram[event.address], 4);
    if (word != event.value) differ(event.address, "a word of the RAM", event.value, word);
  }

  void end() const {
    if (instructions == 0) fail("the machine says nothing");
    if (!stored.empty()) differ(stored.front().address, "what is left of stores", stored.front().value, 0);
    printf("{\"instructions\":%llu,\"stores\":%llu,\"of_unit\":%llu}\n", static_cast<unsigned long long>(instructions),
           static_cast<unsigned long long>(stores), static_cast<unsigned long long>(of_unit));
  }
};

// The fault of HASTEN_FAULT.
struct Fault {
  unsigned kind = 0;
  unsigned long long left = 0;
  Fault() {
    const char* text = getenv("HASTEN_FAULT");
    if (text && sscanf(text, "%u,%llu", &kind, &left) != 2) fail("HASTEN_FAULT is KIND,N");
  }
  void turn(Event& event) {
    bool shows = event.kind != Event::kRetired || event.which;
    if (left > 0 && event.kind == kind && shows && --left == 0) event.value ^= 1u << (event.kind == Event::kStored ? 8 * __builtin_ctz(event.which) : 31);
  }
};
}  // namespace

int main(int count, char** words) {
  const bool shake = count == 4 && strcmp(words[3], "shake") == 0;
  if (count != 3 && !shake) fail("usage: lockstep PROGRAM ISA [shake]");
  Lockstep lockstep(words[1], words[2], shake);
  Fault fault;
  for (Event event; fread(&event, sizeof event, 1, stdin) == 1;) {
    fault.turn(event);
    lockstep.take(event);
  }
  if (fault.left > 0) fail("HASTEN_FAULT names an event that does not come");
  lockstep.end();
}
