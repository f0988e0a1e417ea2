// SPDX-License-Identifier: Apache-2.0 OR MIT
// The cases of the Ed25519 benches, a line each: operation, verdict, name, words DATA:BYTES:LAST, =, words that come out, key, the seed of the key
// that is made or signs, s, its scalar.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Word {
  uint64_t data;
  unsigned bytes, last;
};

// Answers of the core.
constexpr uint8_t kNone = 0x00, kGood = 0x96, kBad = 0x69, kRefused = 0x0f, kDone = 0x3c;

struct Case {
  unsigned op = 0, ok = 0;
  std::string name;
  std::vector<Word> in;
  std::vector<uint64_t> out, seed, scalar;
  // What the core answers: its verdict on a signature, or that a key or a signature is made.
  uint8_t verdict() const { return ok ? (op == 2 ? kGood : kDone) : kBad; }
};

inline Word word(const std::string& token) {
  size_t a = token.find(':'), b = token.rfind(':');
  return {std::stoull(token.substr(0, a), nullptr, 16), static_cast<unsigned>(std::stoul(token.substr(a + 1))),
          static_cast<unsigned>(std::stoul(token.substr(b + 1)))};
}

inline Case read_case(const std::string& line) {
  std::istringstream text(line);
  Case c;
  text >> c.op >> c.ok >> c.name;
  std::vector<uint64_t>* to = nullptr;
  for (std::string token; text >> token;) {
    if (token == "=") {
      to = &c.out;
    } else if (token == "key") {
      to = &c.seed;
    } else if (token == "s") {
      to = &c.scalar;
    } else if (to) {
      to->push_back(std::stoull(token, nullptr, 16));
    } else {
      c.in.push_back(word(token));
    }
  }
  return c;
}

// Ends the bench where there are none.
inline std::vector<Case> load(const char* path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(read_case(line));
  if (cases.empty()) {
    fprintf(stderr, "FAILED: no cases in %s\n", path);
    exit(1);
  }
  return cases;
}
