// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the C drivers of the cores need of a platform. C99, and C++ as well; nothing is allocated.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A core on its bus. Each function but the last returns false where the access failed: an answer
// with an error, or a beat that is not taken in the time that the platform gives it.
typedef struct register_bus {
  void *context;
  bool (*read)(void *context, uint32_t address, uint32_t *value);
  bool (*write)(void *context, uint32_t address, uint32_t value);
  // Puts a beat of so many bytes into input stream `stream`, `last` as TLAST. Stream 0 has the
  // data; of the XMSS engine and of Ed25519 stream 1 has secret keys. What a beat lacks in bytes is not kept.
  bool (*send)(void *context, unsigned stream, const uint8_t *bytes, size_t count, bool last);
  // Takes a beat of the output, if one is there: its bytes and its TID; `count` is 0 if none is.
  bool (*receive)(void *context, uint8_t *bytes, size_t *count, unsigned *id);
  // Returns whether to ask once more, after so many times without an answer.
  bool (*goes_on)(void *context, uint32_t times);
} register_bus;

// How a call ended. Nothing but DRIVER_OK is a success, and its number is none of memory wiped or
// left as it was.
typedef enum driver_result {
  DRIVER_OK = 0x5a,
  DRIVER_BAD = 0x3c,        // the signature is bad
  DRIVER_REFUSED = 0x0f,    // the core refused the command
  DRIVER_NO_ANSWER = 0x69,  // it gave none, or none to this command
  DRIVER_BUS = 0x66,        // the bus failed
  DRIVER_OTHER = 0xa5,      // another block answers
  DRIVER_LENGTH = 0xc3      // other lengths than the command has
} driver_result;

// Sends bytes in whole beats of `beat` bytes, the last one filled up with zeros.
static inline bool register_bus_send(const register_bus *bus, unsigned stream, const uint8_t *bytes, size_t count, size_t beat, bool last) {
  for (size_t at = 0; at < count; at += beat) {
    uint8_t word[16] = {0};
    size_t part = count - at < beat ? count - at : beat;
    memcpy(word, bytes + at, part);
    if (!bus->send(bus->context, stream, word, beat, last && at + beat >= count)) return false;
  }
  return true;
}

// Waits until the bits of `mask` are low in a register.
static inline driver_result register_bus_wait(const register_bus *bus, uint32_t address, uint32_t mask, uint32_t *value) {
  for (uint32_t times = 1;; times++) {
    if (!bus->read(bus->context, address, value)) return DRIVER_BUS;
    if (!(*value & mask)) return DRIVER_OK;
    if (!bus->goes_on(bus->context, times)) return DRIVER_NO_ANSWER;
  }
}
