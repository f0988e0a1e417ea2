// SPDX-License-Identifier: Apache-2.0 OR MIT
// The system with its memories, its flash and a listener at its serial port. A machine can be kept, and taken back to where it was.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "state.h"

using Words = std::vector<uint32_t>;
using Bytes = std::vector<uint8_t>;

constexpr unsigned kRomWords = 2048, kRamWords = 0x10000 / 4, kScratchWords = 0x1000 / 8, kFuses = 18, kDivider = 8;

// A flash that knows the command EBh: it takes or gives four bits in a clock.
struct Flash {
  unsigned step = 0;
  uint32_t address = 0;

  uint8_t shown(const Bytes& bytes) const {
    const uint8_t byte = address < bytes.size() ? bytes[address] : 0xff;
    return step % 2 == 0 ? byte >> 4 : byte & 15;
  }
  void clock(bool selected, bool runs, uint8_t io) {
    if (!selected) {
      step = 0;
      return;
    }
    if (!runs) return;
    if (step >= 8 && step < 14) address = step == 8 ? io : address << 4 | io;
    if (step >= 20 && step % 2 == 1) address += 1;
    step = step == 21 ? 20 : step + 1;
  }
};

// Reads bytes from the line of a serial port.
struct Listener {
  unsigned clocks = 0, bits = 0;

  // Returns a byte when its stop bit is there, or -1.
  int sample(bool line) {
    if (clocks == 0) {
      if (!line) clocks = 1;
      return -1;
    }
    const unsigned at = clocks++;
    if (at % kDivider != kDivider / 2) return -1;
    const unsigned bit = at / kDivider;
    if (bit >= 1 && bit <= 8) bits = bits >> 1 | (line ? 0x80 : 0);
    if (bit < 9) return -1;
    clocks = 0;
    return static_cast<int>(bits);
  }
};

// All that is outside of the model.
struct Outside {
  std::array<uint32_t, kRamWords> ram{};
  std::array<uint64_t, kScratchWords> scratch{};
  Flash flash;
  Listener listener;
  std::string heard;
  uint64_t memory = 0;  // a hash of what both memories hold
  uint64_t cycle = 0;
  bool started = false;  // an instruction in the RAM was asked for
};

struct Kept {
  Bytes model;
  Outside outside;
};

struct Machine : Clocked {
  Words rom;
  Bytes flash;
  Outside out;

  Machine(Words code, Bytes stored, const Words& fuses) : rom(std::move(code)), flash(std::move(stored)) {
    rom.resize(kRomWords);
    // Before the reset, and after a fault, what the processor assumes of itself does not hold.
    context->assertOn(false);
    for (unsigned i = 0; i < kFuses; ++i) top->fuses_i[i] = fuses.at(i);
    top->clk_i = 0;
    top->rst_ni = 0;
    top->eval();
    for (int i = 0; i < 4; ++i) step();
    out = {};
    top->rst_ni = 1;
    top->eval();
  }

  bool reads_rom() const { return top->rom_o; }
  unsigned rom_word() const { return top->rom_address_o / 4; }
  // The ROM says why it refused (rtl/soc/rom); a turned bit says nothing.
  bool refused() const { return top->state_o >= 0xb001 && top->state_o <= 0xb003; }
  bool is_over() const { return refused() || out.started; }

  // The outputs are those of this cycle; what is read is given now, and the model has it in the next one (soc_machine.sv).
  void step() {
    if (top->rom_o) top->rom_i = rom[top->rom_address_o / 4];
    if (top->ram_o) access_ram();
    if (top->scratch_o) access_scratch();
    out.started = out.started || top->starts_o;
    out.flash.clock(!top->flash_cs_no, top->flash_sck_o, top->flash_io_o);
    top->flash_io_i = out.flash.shown(flash);
    const int byte = out.listener.sample(top->uart_tx_o);
    if (byte >= 0) out.heard.push_back(static_cast<char>(byte));
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
    out.cycle += 1;
  }

  // A word whose bytes are written where they are enabled.
  template <typename Word>
  static Word merged(Word old, Word data, unsigned enable) {
    Word mask = 0;
    for (unsigned i = 0; i < sizeof(Word); ++i) mask |= (enable >> i & 1 ? Word{0xff} : Word{0}) << 8 * i;
    return (old & ~mask) | (data & mask);
  }
  template <typename Word>
  void put(Word& word, uint64_t address, Word data) {
    out.memory ^= mixed(address, word) ^ mixed(address, data);
    word = data;
  }
  void access_ram() {
    uint32_t& word = out.ram[top->ram_address_o / 4];
    if (top->ram_write_o) put(word, top->ram_address_o, merged<uint32_t>(word, top->ram_data_o, top->ram_enable_o));
    top->ram_i = word;
  }
  void access_scratch() {
    uint64_t& word = out.scratch[top->scratch_address_o / 8];
    if (top->scratch_write_o) put(word, 0x10000 + top->scratch_address_o, merged<uint64_t>(word, top->scratch_data_o, top->scratch_enable_o));
    top->scratch_i = word;
  }

  // Runs until the ROM refuses or the RAM's first instruction is asked for; false if neither comes.
  bool run(uint64_t most) {
    for (uint64_t i = 0; i < most; ++i) {
      if (is_over()) return true;
      step();
    }
    return is_over();
  }

  // Returns a hash of all that decides what happens next, but for flash, ROM and fuses: two that differ have the same one by chance alone,
  // once in 2^64 pairs.
  uint64_t state() {
    uint64_t all = Hashed(*top).value();
    for (const uint64_t one : {out.memory, uint64_t{out.flash.step}, uint64_t{out.flash.address}, uint64_t{out.listener.clocks},
                               uint64_t{out.listener.bits}, uint64_t{out.heard.size()}, uint64_t{out.started}}) {
      all = mixed(all, one);
    }
    return all;
  }

  void keep(Kept& kept) {
    kept.model = Held(*top).bytes;
    kept.outside = out;
  }
  void take_back(const Kept& kept) {
    Restored(*top, kept.model);
    out = kept.outside;
  }
};
