// SPDX-License-Identifier: Apache-2.0 OR MIT
// A boot as a timing diagram: which part of the image the flash gives, the verifier, the gate, the first byte from the serial port.
#pragma once
#include "registers.h"
#include "wave.h"

// The parts of an image in its file, one behind the other: header, key, signature, the image itself.
struct Parts {
  static constexpr size_t kHeader = 64, kKeyBytesAt = 32, kSignatureBytesAt = 36;
  std::array<uint32_t, 5> ends;

  explicit Parts(const Bytes& file) {
    const auto word = [&](size_t at) {
      uint32_t value = 0;
      for (size_t i = 0; i < 4; ++i) value |= static_cast<uint32_t>(file.at(at + i)) << 8 * i;
      return value;
    };
    const uint32_t key = kHeader + word(kKeyBytesAt), signature = key + word(kSignatureBytesAt);
    ends = {0, kHeader, key, signature, static_cast<uint32_t>(file.size())};
  }
  bool gives(const Flash& flash, size_t part) const {
    return flash.step >= 20 && flash.address >= ends[part] && flash.address < ends[part + 1];
  }
};

inline Register named(Machine& machine, const std::string& name) {
  for (const Register& one : registers(machine, "soc")) {
    const size_t n = one.name.size();
    if (n >= name.size() && one.name.compare(n - name.size(), name.size(), name) == 0) return one;
  }
  fprintf(stderr, "no register %s\n", name.c_str());
  exit(1);
}

inline void boot_wave(Machine& machine, uint64_t most) {
  const Parts parts(machine.flash);
  const Register running = named(machine, "u_verifier.running_q"), first = named(machine, "u_gate.first_q");
  const Register second = named(machine, "u_gate.second_q"), locked = named(machine, "u_gate.locked_q");
  const auto part = [&](size_t number) { return [&, number] { return uint64_t{parts.gives(machine.out.flash, number)}; }; };
  Wave wave;
  wave.bit("header from flash", part(0));
  wave.bit("key", part(1));
  wave.bit("signature", part(2));
  wave.bit("image", part(3));
  wave.space();
  wave.bit("hbs_verify busy", [&] { return running.value(); });
  wave.bus("gate first_q", [&] { return first.value(); }, [&] { return first.value() != 0; });
  wave.bus("gate second_q", [&] { return second.value(); }, [&] { return second.value() != 0; });
  wave.bit("open_o", [&] { return machine.top->open_o; });
  wave.bit("starts_o", [&] { return uint64_t{machine.out.started}; });
  wave.bit("locked_q", [&] { return locked.value(); });
  wave.space();
  wave.bus("byte from uart_tx_o", [&] { return machine.out.heard.back(); }, [&] { return !machine.out.heard.empty(); });
  for (uint64_t i = 0; i < most && machine.out.heard.empty(); ++i) {
    wave.sample();
    machine.step();
  }
  for (int i = 0; i < 3; ++i) {
    wave.sample();
    machine.step();
  }
  wave.print("soc: a signed image of 1,280 bytes boots; 62 is the letter b of its first words");
}
