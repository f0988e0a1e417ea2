// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Runs the three cores and compares their answers: SHA-256 of "abc" (FIPS 180-4's example), the
// first lane of Keccak-f[1600] of zeros, and the engine's answer to a command.
#include <cstdint>
#include <cstdio>
#include <memory>

#include "Vsample_soc.h"
#include "verilated.h"

int main() {
  auto context = std::make_unique<VerilatedContext>();
  auto soc = std::make_unique<Vsample_soc>(context.get());
  auto cycle = [&] {
    soc->clk_i = 0;
    soc->eval();
    soc->clk_i = 1;
    soc->eval();
  };
  soc->rst_ni = 0;
  for (int i = 0; i < 4; i++) cycle();
  soc->rst_ni = 1;
  int cycles = 0;
  while (!soc->done_o && cycles < 10000) {
    cycle();
    cycles++;
  }
  const uint32_t expected[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  bool good = soc->done_o;
  for (int i = 0; i < 8; i++) good &= soc->sha256_o[7 - i] == expected[i];
  good &= soc->keccak_o == 0xf1258f7940e1dde7;
  good &= soc->xmss_status_o == 0;
  std::printf("sample_soc: SHA-256 %08x..., Keccak %016llx, engine's status %d, %d cycles: %s\n",
              soc->sha256_o[7], static_cast<unsigned long long>(soc->keccak_o),
              soc->xmss_status_o, cycles, good ? "good" : "WRONG");
  return good ? 0 : 1;
}
