// SPDX-License-Identifier: Apache-2.0 OR MIT
// A timing diagram from the simulation, as WaveJSON on standard output: what `cargo xtask hw diagrams` draws.
#pragma once
#include <functional>
#include <string>
#include <vector>

// Signals sampled once a cycle, between two rising edges. Cycles in which nothing happens for long are left out, with a mark.
class Wave {
 public:
  using Value = std::function<uint64_t()>;
  using When = std::function<bool()>;

  void bit(const char* name, Value value) { signals_.push_back({name, false, value, nullptr, {}}); }
  // A bus, in hexadecimal, shown in the cycles where `when` holds.
  void bus(const char* name, Value value, When when) { signals_.push_back({name, true, value, when, {}}); }
  void space() { signals_.push_back({"", false, nullptr, nullptr, {}}); }

  void sample() {
    for (Signal& s : signals_)
      if (s.value) s.seen.push_back(!s.bus ? s.value() : s.when() ? s.value() : kUnknown);
    cycles_++;
  }

  void print(const char* title) const {
    std::vector<size_t> columns = chosen();
    printf("{\"head\":{\"text\":\"%s\"},\n \"signal\":[\n  {\"name\":\"clk_i\",\"wave\":\"", title);
    for (size_t i = 0; i < columns.size(); i++) putchar(columns[i] == kGap ? '|' : i ? '.' : 'p');
    printf("\"}");
    for (const Signal& s : signals_) s.value ? line(s, columns) : void(printf(",\n  {}"));
    printf("],\n \"cycles\":[");
    for (size_t i = 0; i < columns.size(); i++) printf("%s%ld", i ? "," : "", columns[i] == kGap ? -1l : static_cast<long>(columns[i]));
    printf("]}\n");
  }

 private:
  static constexpr uint64_t kUnknown = ~0ull;
  static constexpr size_t kGap = ~static_cast<size_t>(0), kQuiet = 4;
  struct Signal {
    const char* name;
    bool bus;
    Value value;
    When when;
    std::vector<uint64_t> seen;
  };

  static std::string hex(uint64_t value) {
    char text[20];
    snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
    return text;
  }

  bool same(size_t a, size_t b) const {
    for (const Signal& s : signals_)
      if (s.value && s.seen[a] != s.seen[b]) return false;
    return true;
  }

  // The cycles that are shown: of more than kQuiet equal ones the first, a gap and the last.
  std::vector<size_t> chosen() const {
    std::vector<size_t> columns;
    for (size_t from = 0, to; from < cycles_; from = to) {
      for (to = from + 1; to < cycles_ && same(from, to);) to++;
      if (to - from <= kQuiet) {
        for (size_t i = from; i < to; i++) columns.push_back(i);
      } else {
        columns.insert(columns.end(), {from, kGap, to - 1});
      }
    }
    return columns;
  }

  void line(const Signal& s, const std::vector<size_t>& columns) const {
    std::string wave, data;
    uint64_t last = 0;
    for (size_t i = 0; i < columns.size(); i++) {
      if (columns[i] == kGap) {
        wave += '|';
        continue;
      }
      uint64_t now = s.seen[columns[i]];
      bool repeats = i && now == last;
      wave += repeats ? '.' : s.bus ? now == kUnknown ? 'x' : '=' : now ? '1' : '0';
      if (s.bus && now != kUnknown && !repeats) data += (data.empty() ? "\"" : ",\"") + hex(now) + "\"";
      last = now;
    }
    printf(",\n  {\"name\":\"%s\",\"wave\":\"%s\"", s.name, wave.c_str());
    if (s.bus) printf(",\"data\":[%s]", data.c_str());
    printf("}");
  }

  std::vector<Signal> signals_;
  size_t cycles_ = 0;
};
