// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sets, keys and signatures of vectors.txt, made in software (`cargo run -p hasten-rtlsim --example xmss_vectors`).
#pragma once
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "chain_ref.h"
#include "clocked.h"

#ifndef SHAKE
#define SHAKE 0
#endif
#ifndef NARROW
#define NARROW 0
#endif

constexpr unsigned kHeight = 10;

// What the engine is told of a set, and what the benches count with.
struct Set {
  const char* name;
  unsigned mode, octets, n, len;
  unsigned rate = 0;  // of SHAKE, bytes
  unsigned narrow = 0;  // w = 2, with `octets` w = 1
  bool lms() const { return !SHAKE && mode >= 2; }
  unsigned width() const { return narrow ? 2 - octets : 4 + 4 * octets; }  // w of LMS
  unsigned last() const { return (1 << width()) - 1; }
  bool tables() const { return width() == 4; }
  // Bytes of a signature before the randomizer and before the path.
  unsigned head() const { return lms() ? 8 : 4; }
  unsigned gap() const { return lms() ? 4 : 0; }
};
constexpr Set kSets[] = {
#if SHAKE
    {"XMSS-SHAKE_10_256", 0, 0, 32, 67, 168}, {"XMSS-SHAKE256_10_192", 1, 0, 24, 51, 136}, {"XMSS-SHAKE256_10_256", 2, 0, 32, 67, 136},
#else
    {"XMSS-SHA2_10_256", 0, 0, 32, 67}, {"XMSS-SHA2_10_192", 1, 0, 24, 51}, {"LMS_SHA256_M32_H10_W4", 2, 0, 32, 67},
    {"LMS_SHA256_M32_H10_W8", 2, 1, 32, 34}, {"LMS_SHA256_M24_H10_W4", 3, 0, 24, 51}, {"LMS_SHA256_M24_H10_W8", 3, 1, 24, 26},
#endif
#if NARROW
    {"LMS_SHA256_M32_H10_W1", 2, 1, 32, 265, 0, 1}, {"LMS_SHA256_M32_H10_W2", 2, 0, 32, 133, 0, 1}, {"LMS_SHA256_M24_H10_W1", 3, 1, 24, 200, 0, 1},
    {"LMS_SHA256_M24_H10_W2", 3, 0, 24, 101, 0, 1},
#endif
};
inline const Set* set = kSets;

// The number of the randomizer on the output: all ones.
constexpr unsigned kRandomizer = NARROW ? 511 : 127;

using ref::Bytes;

inline Bytes unhex(const std::string& text) {
  Bytes out;
  for (size_t i = 0; text != "-" && i < text.size(); i += 2) out.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return out;
}

inline Bytes part(const Bytes& from, size_t at, size_t n) { return Bytes(from.begin() + at, from.begin() + at + n); }

// Filled up to whole words of the stream.
inline Bytes words(Bytes message) {
  message.resize((message.size() + 7) / 8 * 8);
  return message;
}

struct Signature {
  uint32_t index;
  Bytes message, bytes;
  Bytes r() const { return part(bytes, set->head(), set->n); }
  Bytes chains() const { return part(bytes, set->head() + set->n, set->n * set->len); }
  size_t path_at() const { return set->head() + set->n * (1 + set->len) + set->gap(); }
  Bytes path() const { return part(bytes, path_at(), set->n * kHeight); }
  // What CmdVerify takes.
  Bytes stream() const {
    Bytes all = r();
    ref::append(all, words(message));
    ref::append(all, chains());
    ref::append(all, path());
    return all;
  }
};

// Of LMS: SEED, nothing, I filled up to n bytes, the root.
struct Key {
  Bytes secret, prf, seed, root;
  // What CmdLoadKey takes.
  Bytes stream() const {
    Bytes all = secret;
    for (const Bytes* part : {&prf, &seed, &root}) ref::append(all, *part);
    return all;
  }
};

struct Vectors {
  Key key;
  std::vector<Signature> signatures;
};

// All keys of each set, by its name.
inline std::map<std::string, std::vector<Vectors>> load_keys() {
  std::ifstream file("rtl/xmss/bench/vectors.txt");
  std::map<std::string, std::vector<Vectors>> all;
  std::vector<Vectors>* keys = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string kind, a, b, c, d;
    fields >> kind >> a >> b >> c >> d;
    if (kind == "set") keys = &all[a];
    if (kind == "key") keys->push_back({{unhex(a), unhex(b), unhex(c), unhex(d)}, {}});
    if (kind == "signature") keys->back().signatures.push_back({static_cast<uint32_t>(std::stoul(a)), unhex(b), unhex(c)});
  }
  for (const Set& each : kSets)
    if (all[each.name].empty() || all[each.name][0].signatures.empty()) fail("vectors.txt", 0);
  return all;
}

// The first key of each set.
inline std::map<std::string, Vectors> load_vectors() {
  std::map<std::string, Vectors> first;
  for (const auto& [name, keys] : load_keys()) first[name] = keys[0];
  return first;
}
