// SPDX-License-Identifier: Apache-2.0 OR MIT
// The segments of a program, an ELF file for RV32.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

inline std::vector<uint8_t> contents(const char* path) {
  std::vector<uint8_t> bytes;
  FILE* file = fopen(path, "rb");
  if (!file) return bytes;
  for (int byte; (byte = fgetc(file)) != EOF;) bytes.push_back(uint8_t(byte));
  fclose(file);
  return bytes;
}

// Calls take(ADDRESS, BYTES, SIZE) for each segment. Returns what is wrong with the file, or nothing.
template <typename Take>
std::string segments(const std::vector<uint8_t>& file, Take take) {
  auto word = [&](size_t at) {
    uint32_t value = 0;
    if (at + 4 <= file.size()) memcpy(&value, &file[at], 4);
    return value;
  };
  auto half = [&](size_t at) { return word(at) & 0xffff; };
  if (word(0) != 0x464c457f) return "the program is not ELF";
  for (uint32_t i = 0, at = word(28); i < half(44); i++, at += half(42)) {
    if (uint64_t(at) + 32 > file.size()) return "the program is cut off";
    uint32_t offset = word(at + 4), address = word(at + 12), size = word(at + 16);
    if (word(at) != 1 || size == 0) continue;
    if (uint64_t(offset) + size > file.size()) return "a segment is cut off";
    take(address, &file[offset], size);
  }
  return "";
}
