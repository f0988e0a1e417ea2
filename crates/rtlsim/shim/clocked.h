// A Verilated model with its clock: the base of every shim.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "verilated.h"

template <class Top>
struct Clocked {
  std::unique_ptr<VerilatedContext> context{new VerilatedContext};
  std::unique_ptr<Top> top{new Top(context.get(), "TOP")};
  uint64_t cycles = 0;

  Clocked() {
    top->rst_ni = 0;
    run(16);
    top->rst_ni = 1;
    cycles = 0;
  }

  void look() { top->eval(); }

  void run(uint64_t n) {
    for (; n > 0; n--) {
      top->clk_i = 1;
      top->eval();
      top->clk_i = 0;
      top->eval();
      cycles++;
    }
  }
};
