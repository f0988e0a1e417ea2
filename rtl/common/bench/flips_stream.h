// SPDX-License-Identifier: Apache-2.0 OR MIT
// Flips in a core with a stream and an answer of its own (flips.h).
#pragma once
#include "flips.h"

// A verification whose stream is taken so many bytes at a time.
template <size_t kBytes>
struct Streamed : Run {
  std::vector<uint8_t> stream;

  void show() override {
    auto& top = *clk.top;
    top.in_valid_i = at < stream.size();
    if (top.in_valid_i) memcpy(&top.in_data_i, &stream[at], kBytes);
    top.in_last_i = at + kBytes == stream.size();
    clk.look();
  }
  void step() override {
    if (clk.top->in_valid_i && clk.top->in_ready_o) at += kBytes;
    clk.tick();
    show();
  }
  bool answered() const override { return clk.top->rsp_valid_o; }
};
