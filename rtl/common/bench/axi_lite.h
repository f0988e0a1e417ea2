// SPDX-License-Identifier: Apache-2.0 OR MIT
// An AXI4-Lite master for modules with the ports of axil_front, with random stalls; used like the streams.
#pragma once
#include "axi_stream.h"

constexpr unsigned kOkay = 0, kSlvErr = 2;

class AxiLite {
 public:
  using Then = std::function<void(uint32_t data, unsigned resp)>;

  AxiLite(Clocked& clk, uint64_t seed, unsigned eighths) : clk_(clk), stall_{{seed}, eighths} {}

  void write(uint32_t address, uint32_t data, unsigned strobe = 15, Then then = expect_okay) {
    queue_.push_back({true, address, data, strobe, then});
  }
  void read(uint32_t address, Then then) { queue_.push_back({false, address, 0, 0, then}); }
  // Before everything that waits: for polling.
  void read_next(uint32_t address, Then then) { queue_.push_front({false, address, 0, 0, then}); }
  // AxPROT of all accesses: bit 0 privileged, bit 1 not secure.
  unsigned prot = 0;
  bool idle() const { return queue_.empty() && !busy_; }

  void drive() {
    Vtop& top = *clk_.top;
    if (!busy_ && !queue_.empty()) {
      op_ = queue_.front();
      queue_.pop_front();
      busy_ = true;
      aw_left_ = w_left_ = op_.write;
      ar_left_ = !op_.write;
    }
    offer(aw_left_, top.s_axil_awvalid);
    offer(w_left_, top.s_axil_wvalid);
    offer(ar_left_, top.s_axil_arvalid);
    top.s_axil_awaddr = top.s_axil_araddr = op_.address;
    top.s_axil_awprot = top.s_axil_arprot = prot;
    top.s_axil_wdata = op_.data;
    top.s_axil_wstrb = op_.strobe;
    top.s_axil_bready = !stall_();
    top.s_axil_rready = !stall_();
  }

  void note() {
    Vtop& top = *clk_.top;
    if (waits_b_ && !top.s_axil_bvalid) fail("BVALID fell", clk_.cycle);
    if (waits_r_ && (!top.s_axil_rvalid || top.s_axil_rdata != rdata_)) fail("RVALID fell or RDATA changed", clk_.cycle);
    aw_left_ &= !(top.s_axil_awvalid && top.s_axil_awready);
    w_left_ &= !(top.s_axil_wvalid && top.s_axil_wready);
    ar_left_ &= !(top.s_axil_arvalid && top.s_axil_arready);
    waits_b_ = top.s_axil_bvalid && !top.s_axil_bready;
    waits_r_ = top.s_axil_rvalid && !top.s_axil_rready;
    rdata_ = top.s_axil_rdata;
    bool b = top.s_axil_bvalid && top.s_axil_bready, r = top.s_axil_rvalid && top.s_axil_rready;
    if ((b && (!busy_ || !op_.write || aw_left_ || w_left_)) || (r && (!busy_ || op_.write)))
      fail("a response nobody asked for", clk_.cycle);
    if (!b && !r) return;
    busy_ = false;
    if (op_.then) op_.then(r ? top.s_axil_rdata : 0, r ? top.s_axil_rresp : top.s_axil_bresp);
  }

  static void expect_okay(uint32_t, unsigned resp) {
    if (resp != kOkay) fail("a write was refused", 0);
  }

 private:
  struct Op {
    bool write;
    uint32_t address, data;
    unsigned strobe;
    Then then;
  };

  // Valid rises when it likes and stays until it is taken.
  void offer(bool left, CData& valid) { valid = left && (valid || !stall_()); }

  Clocked& clk_;
  Stall stall_;
  std::deque<Op> queue_;
  Op op_{};
  bool busy_ = false, aw_left_ = false, w_left_ = false, ar_left_ = false, waits_b_ = false, waits_r_ = false;
  uint32_t rdata_ = 0;
};

// An access that is not secure is refused, writes nothing to a register that is not zero, and reads zero.
template <class Bench>
void refuses_insecure(Bench& b, uint32_t address) {
  uint32_t before = b.read(address);
  b.axil.prot = 2;
  b.axil.write(address, ~before, 15, [&b](uint32_t, unsigned resp) {
    if (resp != kSlvErr) fail("a write that is not secure was not refused", b.clk.cycle);
  });
  b.axil.read(address, [&b](uint32_t data, unsigned resp) {
    if (resp != kSlvErr || data != 0) fail("a read that is not secure was not refused", b.clk.cycle);
  });
  while (!b.axil.idle()) b.step();
  b.axil.prot = 0;
  if (before == 0 || b.read(address) != before) fail("a write that is not secure was done", b.clk.cycle);
}

// Where a core serves every master, one that is not secure reads and writes a register that has something other than zero.
template <typename Bench>
void serves_insecure(Bench& b, uint32_t address) {
  uint32_t before = b.read(address);
  b.axil.prot = 2;
  b.axil.write(address, before, 15, [&b](uint32_t, unsigned resp) {
    if (resp != kOkay) fail("a write that is not secure was refused", b.clk.cycle);
  });
  while (!b.axil.idle()) b.step();
  uint32_t again = 0;
  b.axil.read(address, [&](uint32_t data, unsigned resp) {
    if (resp != kOkay) fail("a read that is not secure was refused", b.clk.cycle);
    again = data;
  });
  while (!b.axil.idle()) b.step();
  b.axil.prot = 0;
  if (before == 0 || again != before) fail("a register that is not served", b.clk.cycle);
}
