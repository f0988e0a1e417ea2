// SPDX-License-Identifier: Apache-2.0 OR MIT
// The keys and signatures of vectors.txt (`cargo run -p hasten-rtlsim --example hbs_verify_vectors`), as streams of the core.
#pragma once
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../../sha256/bench/sha256_ref.h"
#include "clocked.h"

using Bytes = std::vector<uint8_t>;

inline Bytes unhex(const std::string& text) {
  Bytes out;
  for (size_t i = 0; text != "-" && i < text.size(); i += 2) out.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return out;
}

inline uint32_t number_at(const Bytes& from, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; i++) value = value << 8 | from.at(at + i);
  return value;
}

// What the typecodes of a key say: RFC 8554, Section 4.1 (Parameters) and Section 5.1 (Parameters); of XMSS its OID: RFC 8391, Section 8 (IANA
// Considerations), and SP 800-208, Section 5.2 (XMSS and XMSS^MT Parameter Sets with SHA-256/192).
struct Shape {
  unsigned n, chains, height;
  bool xmss = false;
  static Shape of_xmss(const Bytes& key) {
    unsigned oid = number_at(key, 0), of = oid & 3;
    Shape s;
    s.n = oid >= 13 ? 24 : 32;
    s.chains = 2 * s.n + 3;
    s.height = of == 1 ? 10 : of == 2 ? 16 : 20;
    s.xmss = true;
    return s;
  }
  Shape() = default;
  explicit Shape(const Bytes& key, size_t at) {
    unsigned tree = number_at(key, at), ots = number_at(key, at + 4), w = 1u << ((ots - 1) % 4);
    n = tree >= 10 ? 24 : 32;
    height = 5 * (tree - (tree >= 10 ? 9 : 4));
    unsigned digits = 8 * n / w, highest = digits * ((1u << w) - 1), bits = 0;
    while (highest >> bits) bits++;
    chains = digits + (bits + w - 1) / w;
  }
  size_t key_bytes() const { return xmss ? 4 + 2 * n : 24 + n; }
  size_t before_message() const { return (xmss ? 4 : 8) + n; }
  size_t signature_bytes() const { return (xmss ? 4 : 12) + n * (1 + chains + height); }
};

struct Case {
  std::string name;
  bool hss, xmss, good;
  Bytes key, signature, message;

  size_t at_key() const { return hss ? 4 : 0; }
  bool two() const { return hss && number_at(key, 0) == 2; }
  static void put(Bytes& to, const Bytes& from, size_t at, size_t count) {
    to.insert(to.end(), from.begin() + static_cast<long>(at), from.begin() + static_cast<long>(at + count));
  }
  // Where the message begins in the stream, and the stream without it.
  size_t at_message = 0;
  Bytes rest;
  Bytes low_key, low_head;  // the key that the message is signed with, and the signature with it up to the message
  // The key, what precedes the message, the message filled up to whole words, the rest.
  void order() {
    Shape top = xmss ? Shape::of_xmss(key) : Shape(key, at_key());
    size_t at = at_key(), below = 0;
    rest = key;
    put(rest, signature, 0, at);
    if (two()) {
      Shape low(signature, at + top.signature_bytes());
      put(rest, signature, at, top.before_message());
      put(rest, signature, at + top.signature_bytes(), low.key_bytes());
      put(rest, signature, at + top.before_message(), top.signature_bytes() - top.before_message());
      below = at + top.signature_bytes() + low.key_bytes();
      put(low_key, signature, below - low.key_bytes(), low.key_bytes());
      put(low_head, signature, below, low.before_message());
      put(rest, signature, below, low.before_message());
      below += low.before_message();
    } else {
      put(low_key, key, at, top.key_bytes());
      put(low_head, signature, at, top.before_message());
      put(rest, signature, at, top.before_message());
      below = at + top.before_message();
    }
    at_message = rest.size();
    put(rest, signature, below, signature.size() - below);
  }
  // The same with Q in place of randomizer and message: RFC 8554, Section 4.5 (Signature Generation).
  // Of XMSS, H_msg: RFC 8391, Section 4.1.9 (XMSS Signature Generation).
  Bytes digest_stream() const {
    size_t n = low_head.size() - (xmss ? 4 : 8);
    Bytes all(rest.begin(), rest.begin() + static_cast<long>(at_message - n)), hashed;
    if (xmss) {
      hashed.resize(n == 24 ? 3 : 31);
      hashed.push_back(2);
      put(hashed, low_head, 4, n);
      put(hashed, low_key, 4, n);
      hashed.resize(hashed.size() + n - 4);
      put(hashed, low_head, 0, 4);
    } else {
      put(hashed, low_key, 8, 16);
      put(hashed, low_head, 0, 4);
      hashed.insert(hashed.end(), {0x81, 0x81});
      put(hashed, low_head, 8, n);
    }
    hashed.insert(hashed.end(), message.begin(), message.end());
    put(all, ref::hash(hashed), 0, n);
    put(all, rest, at_message, rest.size() - at_message);
    return all;
  }
  Bytes stream() const {
    Bytes all(rest.begin(), rest.begin() + static_cast<long>(at_message));
    all.insert(all.end(), message.begin(), message.end());
    all.resize((all.size() + 3) / 4 * 4);
    put(all, rest, at_message, rest.size() - at_message);
    return all;
  }
};

inline std::vector<Case> load_cases(const char* path) {
  std::ifstream file(path);
  std::vector<Case> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string kind, name, form, verdict, key, signature, message;
    fields >> kind >> name >> form >> verdict >> key >> signature >> message;
    if (kind != "case") continue;
    all.push_back({name, form == "hss", form == "xmss", verdict == "good", unhex(key), unhex(signature), unhex(message)});
    all.back().order();
  }
  if (all.empty()) fail("vectors.txt", 0);
  return all;
}
