// SPDX-License-Identifier: Apache-2.0 OR MIT
// Driver of sha3_unit_axi in C99: hashes and extendable output (FIPS 202), and the chains of
// hash-based signatures, on one of four tags. What sha3_driver.rs does.
//
// The number of an input stream (rtl/common/register_bus.h) is TID + 4 TUSER; the TID of the output
// is the tag.
#pragma once
#include "../common/register_bus.h"
#include "gen/sha3_regs.h"

// A function of FIPS 202: lanes of a block, and the suffix with the first bit of the padding. An
// output of another length than the function has is the caller's mistake.
typedef struct sha3_function {
  uint8_t rate, suffix;
} sha3_function;

static const sha3_function sha3_224 = {SHA3_COMMAND_RATE_SHA3_224, SHA3_COMMAND_SUFFIX_SHA3};
static const sha3_function sha3_256 = {SHA3_COMMAND_RATE_SHA3_256, SHA3_COMMAND_SUFFIX_SHA3};
static const sha3_function sha3_384 = {SHA3_COMMAND_RATE_SHA3_384, SHA3_COMMAND_SUFFIX_SHA3};
static const sha3_function sha3_512 = {SHA3_COMMAND_RATE_SHA3_512, SHA3_COMMAND_SUFFIX_SHA3};
static const sha3_function shake128 = {SHA3_COMMAND_RATE_SHAKE128, SHA3_COMMAND_SUFFIX_SHAKE};
static const sha3_function shake256 = {SHA3_COMMAND_RATE_SHAKE256, SHA3_COMMAND_SUFFIX_SHAKE};

// How a piece of a message ends: TUSER of its last beat.
enum { SHA3_ENDS_NOT = 0, SHA3_ENDS_PADDED = 1 };

// Looks whether the unit is there.
static inline driver_result sha3_open(const register_bus *bus) {
  uint32_t id, version;
  if (!bus->read(bus->context, SHA3_ID, &id) || !bus->read(bus->context, SHA3_VERSION, &version)) return DRIVER_BUS;
  return id == 0x53484133u && version >> SHA3_VERSION_MAJOR_SHIFT == 1 ? DRIVER_OK : DRIVER_OTHER;
}

// Takes what is left of output that nobody waits for.
static inline driver_result sha3_drain(const register_bus *bus) {
  uint8_t bytes[16];
  size_t count = 1;
  unsigned id;
  for (uint32_t times = 1; count; times++) {
    if (!bus->receive(bus->context, bytes, &count, &id)) return DRIVER_BUS;
    if (!bus->goes_on(bus->context, times)) return DRIVER_NO_ANSWER;
  }
  return DRIVER_OK;
}

// Gives a command for output of so many bytes, which may be none, and waits until it is taken.
// Registers are read back where they can be, so a write that is lost gives no answer, and not
// another one's output. A tag that takes a command has put out all of the one before, which may
// have been given up; that output goes, and its event.
static inline driver_result sha3_begin(const register_bus *bus, unsigned tag, uint32_t command, uint32_t length) {
  uint32_t found, status;
  command |= tag << SHA3_COMMAND_TAG_SHIFT;
  if (!bus->write(bus->context, SHA3_LENGTH, length) || !bus->read(bus->context, SHA3_LENGTH, &found)) return DRIVER_BUS;
  if (found != length) return DRIVER_NO_ANSWER;
  if (!bus->write(bus->context, SHA3_COMMAND, command)) return DRIVER_BUS;
  driver_result taken = register_bus_wait(bus, SHA3_STATUS, SHA3_STATUS_BUSY_MASK, &status);
  if (taken != DRIVER_OK) return taken;
  if (!bus->read(bus->context, SHA3_COMMAND, &found)) return DRIVER_BUS;
  if (found != command) return DRIVER_NO_ANSWER;
  driver_result drained = sha3_drain(bus);
  if (drained != DRIVER_OK) return drained;
  if (!bus->write(bus->context, SHA3_DONE, 1u << tag) || !bus->read(bus->context, SHA3_DONE, &found)) return DRIVER_BUS;
  return found >> tag & 1 ? DRIVER_NO_ANSWER : DRIVER_OK;
}

// Sends a piece in beats of sixteen bytes, the last one shorter, and empty where the piece is.
static inline bool sha3_send(const register_bus *bus, unsigned tag, unsigned ending, const uint8_t *bytes, size_t count) {
  unsigned stream = tag + 4 * ending;
  size_t at = 0;
  for (; count - at > 16; at += 16)
    if (!bus->send(bus->context, stream, bytes + at, 16, false)) return false;
  return bus->send(bus->context, stream, bytes + at, count - at, true);
}

// Takes the output of a tag: so many bytes, and then its event.
static inline driver_result sha3_finish(const register_bus *bus, unsigned tag, uint8_t *out, size_t length) {
  uint8_t bytes[16];
  size_t came = 0, count;
  unsigned id;
  for (uint32_t times = 1;; times++) {
    uint32_t done;
    if (!bus->read(bus->context, SHA3_DONE, &done)) return DRIVER_BUS;
    for (;;) {
      if (!bus->receive(bus->context, bytes, &count, &id)) return DRIVER_BUS;
      if (count == 0) break;
      if (id != tag || count > length - came) return DRIVER_LENGTH;
      memcpy(out + came, bytes, count);
      came += count;
    }
    if (done >> tag & 1) return came == length ? DRIVER_OK : DRIVER_LENGTH;
    if (!bus->goes_on(bus->context, times)) return DRIVER_NO_ANSWER;
  }
}

// Hashes a message. `length` is that of the function, or any up to 2^32 - 1 of SHAKE; at least 1.
static inline driver_result sha3_hash(const register_bus *bus, unsigned tag, sha3_function function, const uint8_t *message, size_t count,
                                      uint8_t *out, uint32_t length) {
  uint32_t command = (uint32_t)SHA3_COMMAND_OP_HASH << SHA3_COMMAND_OP_SHIFT | (uint32_t)function.rate << SHA3_COMMAND_RATE_SHIFT |
                     (uint32_t)function.suffix << SHA3_COMMAND_SUFFIX_SHIFT;
  if (length == 0 || tag > 3) return DRIVER_LENGTH;
  driver_result begun = sha3_begin(bus, tag, command, length);
  if (begun != DRIVER_OK) return begun;
  return sha3_send(bus, tag, SHA3_ENDS_PADDED, message, count) ? sha3_finish(bus, tag, out, length) : DRIVER_BUS;
}

static inline bool sha3_data(const register_bus *bus, const uint8_t data[32]) {
  for (unsigned i = 0; i < 8; i++) {
    uint32_t word = 0;
    for (unsigned j = 4; j-- > 0;) word = word << 8 | data[4 * i + j];
    if (!bus->write(bus->context, SHA3_DATA(i), word)) return false;
  }
  return true;
}

// Sets what precedes the tweak in each step of a chain: its first 8 `lanes` bytes.
static inline driver_result sha3_prefix(const register_bus *bus, const uint8_t prefix[32]) {
  if (!sha3_data(bus, prefix)) return DRIVER_BUS;
  return sha3_begin(bus, 0, (uint32_t)SHA3_COMMAND_OP_PREFIX << SHA3_COMMAND_OP_SHIFT, 1);
}

// Walks a chain of SHAKE256 from a value of 8 `lanes` bytes (2, 3 or 4 lanes) and leaves its end
// there. The tweak's last four bytes are a counter, most significant byte first, from `counter` on.
// Prefix and tweak cannot be read back.
static inline driver_result sha3_chain(const register_bus *bus, unsigned tag, const uint8_t tweak[32], unsigned lanes, uint32_t counter,
                                       uint16_t steps, uint8_t *value) {
  uint32_t found, command = (uint32_t)SHA3_COMMAND_OP_CHAIN << SHA3_COMMAND_OP_SHIFT | (uint32_t)shake256.rate << SHA3_COMMAND_RATE_SHIFT |
                            (uint32_t)shake256.suffix << SHA3_COMMAND_SUFFIX_SHIFT | (uint32_t)lanes << SHA3_COMMAND_LANES_SHIFT;
  if (lanes < 2 || lanes > 4 || tag > 3) return DRIVER_LENGTH;
  if (!bus->write(bus->context, SHA3_STEPS, steps) || !bus->write(bus->context, SHA3_COUNTER, counter)) return DRIVER_BUS;
  if (!bus->read(bus->context, SHA3_STEPS, &found)) return DRIVER_BUS;
  if (found != steps) return DRIVER_NO_ANSWER;
  if (!bus->read(bus->context, SHA3_COUNTER, &found)) return DRIVER_BUS;
  if (found != counter) return DRIVER_NO_ANSWER;
  if (!sha3_data(bus, tweak)) return DRIVER_BUS;
  driver_result begun = sha3_begin(bus, tag, command, 8 * lanes);
  if (begun != DRIVER_OK) return begun;
  return sha3_send(bus, tag, SHA3_ENDS_NOT, value, 8 * lanes) ? sha3_finish(bus, tag, value, 8 * lanes) : DRIVER_BUS;
}

// Wipes the unit: its registers, and the states of all tags.
static inline driver_result sha3_clear(const register_bus *bus) {
  uint32_t found, command = (uint32_t)SHA3_COMMAND_OP_CLEAR << SHA3_COMMAND_OP_SHIFT;
  if (!bus->write(bus->context, SHA3_LENGTH, 1) || !bus->write(bus->context, SHA3_COMMAND, command)) return DRIVER_BUS;
  driver_result taken = register_bus_wait(bus, SHA3_STATUS, SHA3_STATUS_BUSY_MASK, &found);
  if (taken != DRIVER_OK) return taken;
  if (!bus->read(bus->context, SHA3_LENGTH, &found)) return DRIVER_BUS;
  return found == 0 ? DRIVER_OK : DRIVER_NO_ANSWER;
}
