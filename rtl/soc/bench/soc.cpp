// SPDX-License-Identifier: Apache-2.0 OR MIT
// Boots images, and attacks the boot. `cargo xtask hw boot` calls it:
//
//   boot ROM FLASH FUSES                      boots, and prints what the serial port said
//   wave ROM FLASH FUSES                      boots, and prints a timing diagram of it as WaveJSON
//   bits ROM FLASH FUSES FIRST COUNT STEP     turns bits of the flash, every STEP-th one
//   skips ROM FLASH FUSES CODE WINDOW         leaves out instructions of the last WINDOW cycles before the refusal
//   upsets ROM FLASH FUSES SCOPE WINDOW CYCLES MOST SHARE SHARES
//                                             turns each bit of the registers below SCOPE in that many of these cycles, or in fewer: MOST
//                                             runs; of the cycles one of so many shares
//
// Files of bytes; fuses are words, the lowest byte first. Each prints a line of JSON. An attack on an image that is not signed has
// succeeded if an instruction in the RAM is asked for.
#include "boot_wave.h"
#include "upsets.h"

static Bytes read(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  Bytes bytes;
  for (int c; (c = fgetc(file)) != EOF;) bytes.push_back(static_cast<uint8_t>(c));
  fclose(file);
  return bytes;
}

static Words words(const Bytes& bytes) {
  Words words((bytes.size() + 3) / 4);
  for (size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= static_cast<uint32_t>(bytes[i]) << 8 * (i % 4);
  return words;
}

static void boot(Machine& machine) {
  machine.run(kMost);
  const bool started = machine.out.started;
  const uint64_t cycles = machine.out.cycle;
  for (int i = 0; started && i < 40'000 && (machine.out.heard.empty() || machine.out.heard.back() != '\n'); ++i) machine.step();
  std::string heard = machine.out.heard;
  if (!heard.empty() && heard.back() == '\n') heard.pop_back();
  printf("{\"started\":%s,\"cycles\":%llu,\"state\":%u,\"uart\":\"%s\"}\n", started ? "true" : "false",
         static_cast<unsigned long long>(cycles), machine.top->state_o, heard.c_str());
}

// The machine runs once; before a bit is read for the first time it is kept, runs on with the bit turned, and is taken back.
static void bits(Machine& machine, uint64_t first, uint64_t count, uint64_t step) {
  Count result;
  Kept kept;
  uint64_t next = 0;
  while (next < count && !machine.is_over()) {
    const Flash& flash = machine.out.flash;
    const uint64_t byte = (first + next * step) / 8;
    // Well before the byte is read, and behind the one before it.
    const bool near = flash.step >= 20 && flash.address + 2 >= byte;
    const bool begins = byte < 2 && machine.out.cycle >= 1;
    if (!near && !begins) {
      machine.step();
      continue;
    }
    machine.keep(kept);
    for (; next < count && (first + next * step) / 8 == byte; ++next) {
      const uint64_t bit = first + next * step;
      machine.flash.at(byte) ^= 1 << bit % 8;
      const bool ended = machine.run(kMost);
      result.note(outcome(machine, ended), "bit " + std::to_string(bit));
      machine.flash.at(byte) ^= 1 << bit % 8;
      machine.take_back(kept);
    }
  }
  result.print();
}

// The first half words of instructions in the ROM.
static std::vector<bool> beginnings(const Words& rom, unsigned code) {
  std::vector<bool> begins(code / 2 + 2);
  for (unsigned half = 0; half < code / 2;) {
    begins[half] = true;
    const unsigned first = rom[half / 2] >> 16 * (half % 2);
    half += (first & 3) == 3 ? 2 : 1;
  }
  return begins;
}

static constexpr uint32_t kNop = 0x13, kShortNop = 1;

// Runs on with the instruction that begins at a half word of the word that is read now replaced by one that does nothing.
static bool skip(Machine& machine, unsigned half, uint64_t most) {
  uint32_t& word = machine.rom[half / 2];
  const uint32_t old = word, first = old >> 16 * (half % 2);
  const bool is_long = (first & 3) == 3;
  if (half % 2 == 0) word = is_long ? kNop : (old & 0xffff0000) | kShortNop;
  else word = (old & 0xffff) | kShortNop << 16;
  machine.step();
  word = old;
  if (!is_long || half % 2 == 0) return machine.run(most);
  // The other half is in the next word.
  for (int i = 0; i < 40 && !machine.is_over(); ++i) {
    if (machine.reads_rom() && machine.rom_word() == half / 2 + 1) {
      uint32_t& next = machine.rom[half / 2 + 1];
      const uint32_t whole = next;
      next = (whole & 0xffff0000) | kShortNop;
      machine.step();
      next = whole;
      break;
    }
    machine.step();
  }
  return machine.run(most);
}

static void skips(Machine& machine, unsigned code, uint64_t window) {
  Count result;
  Kept kept;
  if (!enter(machine, window)) exit(1);
  const std::vector<bool> begins = beginnings(machine.rom, code);
  while (!machine.is_over()) {
    const unsigned word = machine.rom_word();
    if (machine.reads_rom() && 4 * word < code) {
      machine.keep(kept);
      for (unsigned half = 2 * word; half < 2 * word + 2; ++half) {
        if (!begins[half]) continue;
        const bool ended = skip(machine, half, window + kTail);
        result.note(outcome(machine, ended), "cycle " + std::to_string(kept.outside.cycle) + " at " + std::to_string(2 * half));
        machine.take_back(kept);
      }
    }
    machine.step();
  }
  result.print();
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string what = argv[1];
  Machine machine(words(read(argv[2])), read(argv[3]), words(read(argv[4])));
  const auto number = [&](int i) { return argc > i ? strtoull(argv[i], nullptr, 0) : 0; };
  if (what == "boot") boot(machine);
  else if (what == "wave") boot_wave(machine, kMost);
  else if (what == "bits") bits(machine, number(5), number(6), number(7));
  else if (what == "skips") skips(machine, static_cast<unsigned>(number(5)), number(6));
  else if (what == "upsets" && argc > 10) {
    if (!enter(machine, number(6))) return 1;
    Upsets(machine, argv[5], number(6), number(7), number(8)).run(number(9), number(10)).print();
  }
  else return 2;
  return 0;
}
