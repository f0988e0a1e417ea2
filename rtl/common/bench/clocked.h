// SPDX-License-Identifier: Apache-2.0 OR MIT
// What every bench shares: a clocked model, a repeatable random source, failing loudly, one line of JSON per operation.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

#include "Vtop.h"
#include "verilated.h"
#if defined RECORD || defined PORTS
#include "verilated_vcd_c.h"
#endif
#ifdef PORTS
#include <string>
#endif
#if VM_COVERAGE
#include <string>

#include "verilated_cov.h"
#endif

// Built by `cargo xtask hw energy`: the bench's main(argc, argv) runs each operation in a model of its own with start_record(argv[1]),
// and marks the cycles that are full of it.
#ifdef RECORD
constexpr bool kRecord = true;
#else
constexpr bool kRecord = false;
#endif

double sc_time_stamp() { return 0; }

// The model between two rising edges: set inputs, look() at combinational outputs, then tick().
struct Clocked {
  std::unique_ptr<VerilatedContext> context{undefined()};
  std::unique_ptr<Vtop> top{new Vtop(context.get(), "TOP")};
  uint64_t cycle = 0;
  std::function<void()> watch;  // called in every cycle, if there is one, with its outputs
#ifdef RECORD
  VerilatedVcdC ports;
  uint64_t from = 0;

  // Every cycle from here on, which must be before reset().
  void start_record(const char* path) {
    context->traceEverOn(true);
    top->trace(&ports, 1);
    ports.open(path);
  }
  void measure() { from = cycle; }
  // So many operations ended since measure().
  void measured(const char* op, uint64_t count) {
    printf("{\"op\":\"%s\",\"from\":%llu,\"to\":%llu,\"count\":%llu}\n", op, static_cast<unsigned long long>(from),
           static_cast<unsigned long long>(cycle), static_cast<unsigned long long>(count));
    ports.close();
  }
  void sample() {
    if (!ports.isOpen()) return;
    top->eval();
    ports.dump(cycle);
  }
#else
  void start_record(const char*) {}
  void measure() {}
  void measured(const char*, uint64_t) {}
#ifndef PORTS
  void sample() {}
#endif
#endif

#ifdef PORTS
  // Built by `cargo xtask hw gates`: each model of the bench writes its ports in every cycle into a file HASTEN_PORTS.1, .2 and on. The
  // bench ends when they have HASTEN_CYCLES cycles together. Files stay open: models outlive Verilator's own variables.
  inline static int files = 0;
  inline static long left = atol(getenv("HASTEN_CYCLES"));
  VerilatedVcdC* ports = nullptr;

  void sample() {
    if (!ports) open();
    top->eval();
    ports->dump(cycle);
    ports->flush();
    if (--left == 0) std::_Exit(0);
  }
  void open() {
    context->traceEverOn(true);
    ports = new VerilatedVcdC;
    top->trace(ports, 1);
    ports->open((std::string(getenv("HASTEN_PORTS")) + "." + std::to_string(++files)).c_str());
  }
#endif

  // Registers, memories and ports hold anything before a reset: the flow builds models with --x-initial unique. Each model of a bench
  // holds other values, and every run of a bench the same ones.
  inline static int models = 0;
#ifdef PORTS
  inline static const int kHeld = atoi(getenv("HASTEN_HELD"));  // all zeros, all ones, or random
#else
  static constexpr int kHeld = 2;
#endif
  static VerilatedContext* undefined() {
    auto* context = new VerilatedContext;
    context->randReset(kHeld);
    context->randSeed(++models);
    return context;
  }

  // The pin that most benches leave alone.
  template <typename Top>
  static auto lower_pin(Top& all, int) -> decltype(all.zeroize_i = 0, void()) {
    all.zeroize_i = 0;
  }
  template <typename Top>
  static void lower_pin(Top&, long) {}

  // The pin of a netlist with mutants in it (`cargo xtask hw mutants`): the number of the one that is on.
  template <typename Top>
  static auto set_mutant(Top& all, int) -> decltype(all.mutant_i = 0, void()) {
    const char* number = getenv("HASTEN_MUTANT");
    all.mutant_i = number ? atoi(number) : 0;
  }
  template <typename Top>
  static void set_mutant(Top&, long) {}

  Clocked() {
    top->clk_i = 0;
    lower_pin(*top, 0);
    set_mutant(*top, 0);
  }

#if VM_COVERAGE
  inline static int written = 0;
#endif
  ~Clocked() {
#if VM_COVERAGE
    // Built by `cargo xtask hw coverage`: each model writes what it counted.
    const char* folder = getenv("HASTEN_COVERAGE");
    if (folder) context->coveragep()->write((std::string(folder) + "/" + std::to_string(++written)).c_str());
#endif
    // A model takes its names out of the context of the thread, which may be that of a later model, and gone.
    Verilated::threadContextp(context.get());
  }

  void look() { top->eval(); }
  void tick() {
    sample();
    if (watch) {
      top->eval();
      watch();
    }
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
    cycle++;
  }
  template <typename Top = Vtop>  // some models have no reset
  void reset(int cycles = 2) {
    Top* clocked = top.get();
    clocked->rst_ni = 0;
    for (int i = 0; i < cycles; i++) tick();
    clocked->rst_ni = 1;
  }
};

// splitmix64
struct Random {
  uint64_t s;
  uint64_t next() {
    uint64_t z = (s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  bool one_in(uint64_t n) { return next() % n == 0; }
};

[[noreturn]] inline void fail(const char* what, uint64_t cycle) {
  fprintf(stderr, "FAILED: %s, cycle %llu\n", what, static_cast<unsigned long long>(cycle));
  exit(1);
}

// `checked`: how many random cases of the operation were compared, for `cargo xtask hw random`.
inline void report(const char* op, uint64_t cycles, uint64_t cycles_max, unsigned in_flight, uint64_t checked = 0) {
  printf("{\"op\":\"%s\",\"cycles\":%llu,\"cycles_max\":%llu,\"in_flight\":%u", op,
         static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(cycles_max), in_flight);
  if (checked > 0) printf(",\"checked\":%llu", static_cast<unsigned long long>(checked));
  printf("}\n");
}
