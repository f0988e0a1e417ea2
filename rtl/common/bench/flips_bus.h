// SPDX-License-Identifier: Apache-2.0 OR MIT
// Flips in a core behind AXI (flips.h), seen as its driver sees it: it asks for the status until that says that the core is not busy, reads the
// event, reads the status once more, and believes the verdict where both are the same.
#pragma once
#include "flips.h"

// Registers and beats of one wrapper. Commands are given before anything flips, and the answers are read at full speed.
struct Bussed : Run {
  size_t beats = 0;  // of the stream

  virtual uint32_t status_address() const = 0;
  virtual uint32_t done_address() const = 0;
  virtual uint32_t done_mask() const = 0;
  virtual bool busy(uint32_t status) const = 0;
  virtual Verdict judged(uint32_t status) const = 0;
  virtual void put(size_t beat) = 0;  // a beat to the pins
  virtual void take() {}              // a beat of the output comes out

  // A write, which the wrapper takes in a few cycles.
  void write(uint32_t address, uint32_t value) {
    auto& top = *clk.top;
    top.s_axil_awaddr = address;
    top.s_axil_wdata = value;
    top.s_axil_wstrb = 15;
    top.s_axil_awprot = top.s_axil_arprot = 0;
    top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
    for (unsigned left = 100;; left--) {
      clk.look();
      bool address_taken = top.s_axil_awready, data_taken = top.s_axil_wready, written = top.s_axil_bvalid;
      if (written && top.s_axil_bresp != 0) fail("a write was refused", clk.cycle);
      clk.tick();
      if (address_taken) top.s_axil_awvalid = 0;
      if (data_taken) top.s_axil_wvalid = 0;
      if (written) return;
      if (left == 0) fail("a write is not answered", clk.cycle);
    }
  }
  // From a reset: nothing is asked or sent.
  void restart() {
    auto& top = *clk.top;
    top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_arvalid = top.s_axil_bready = top.s_axil_rready = 0;
    top.s_axis_tvalid = 0;
    static_cast<Beside&>(*this) = Beside{};
    clk.reset(40);
  }
  uint32_t address() const { return stage == 1 ? done_address() : status_address(); }
  void show() override {
    auto& top = *clk.top;
    top.s_axil_awvalid = top.s_axil_wvalid = 0;
    top.s_axil_bready = top.s_axil_rready = 1;
    top.s_axil_arvalid = !over && !asked;
    top.s_axil_araddr = address();
    top.s_axis_tvalid = at < beats;
    if (at < beats) put(at);
    clk.look();
  }
  void step() override {
    auto& top = *clk.top;
    if (top.s_axis_tvalid && top.s_axis_tready) at++;
    take();
    if (top.s_axil_arvalid && top.s_axil_arready) asked = true;
    if (asked && top.s_axil_rvalid) {
      asked = false;
      got(top.s_axil_rdata, top.s_axil_rresp);
    }
    clk.tick();
    show();
  }
  void got(uint32_t data, unsigned response) {
    if (stage == 0) status = data;
    if (stage == 1) done = data;
    if (stage == 2) again = data;
    // A driver gives up where the bus fails.
    if (response != 0) done = 0;
    over = response != 0 || stage == 2;
    if (!over && (stage == 1 || !busy(data))) stage++;
  }
  bool answered() const override { return over; }
  // A read that comes a cycle too early, and three more of four cycles each.
  unsigned lag() const override { return 16; }
  Verdict verdict() const override {
    if (!(done & done_mask()) || again != status) return Verdict::kRefused;
    return judged(status);
  }
};
