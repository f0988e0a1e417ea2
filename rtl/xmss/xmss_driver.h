// SPDX-License-Identifier: Apache-2.0 OR MIT
// Driver of xmss_engine_axi in C99: what xmss_driver.rs does, for maps of version 1.6 and later.
// The engine makes what needs secrets; the path of a signature is the traversal's, and typecodes of
// LMS are the caller's.
#pragma once
#include "../common/register_bus.h"
#include "gen/xmss_regs.h"

// Input streams.
enum { XMSS_STREAM_DATA, XMSS_STREAM_KEY };

typedef struct xmss_engine {
  const register_bus *bus;
  size_t n;         // bytes of a value of the key that is loaded
  unsigned top_id;  // TID of the randomizer, all ones
  uint8_t due;      // the number of the answer to the last command
} xmss_engine;

// A set: `mode` is one of XMSS_COMMAND_MODE_*, `w` 0 for XMSS and 1, 2, 4 or 8 for LMS.
typedef struct xmss_set {
  uint32_t mode;
  size_t n;
  unsigned w, height;
} xmss_set;

typedef struct xmss_part {
  const uint8_t *at;
  size_t count;
} xmss_part;

static inline uint8_t xmss_number(uint32_t status) { return (uint8_t)((status & XMSS_STATUS_ANSWERS_MASK) >> XMSS_STATUS_ANSWERS_SHIFT); }

// Gives a command when no other one waits.
static inline driver_result xmss_begin(xmss_engine *engine, uint32_t command, uint32_t index, uint64_t length) {
  const register_bus *bus = engine->bus;
  uint32_t status;
  driver_result waited = register_bus_wait(bus, XMSS_STATUS, XMSS_STATUS_FULL_MASK, &status);
  if (waited != DRIVER_OK) return waited;
  if (!bus->write(bus->context, XMSS_LENGTH_HIGH, (uint32_t)(length >> 32)) || !bus->write(bus->context, XMSS_INDEX, index)) return DRIVER_BUS;
  if (!bus->write(bus->context, XMSS_LENGTH, (uint32_t)length) || !bus->write(bus->context, XMSS_COMMAND, command)) return DRIVER_BUS;
  engine->due++;
  return DRIVER_OK;
}

// Takes output until nothing runs: `values` in the order of their numbers, the randomizer first, or
// one value alone. The status is that of this command's answer.
static inline driver_result xmss_finish(xmss_engine *engine, uint8_t *values, size_t count, uint32_t *status) {
  const register_bus *bus = engine->bus;
  uint8_t filled[512] = {0}, bytes[16];
  size_t came = 0, beat;
  for (uint32_t times = 1;; times++) {
    unsigned id;
    if (!bus->read(bus->context, XMSS_STATUS, status)) return DRIVER_BUS;
    for (;;) {
      if (!bus->receive(bus->context, bytes, &beat, &id)) return DRIVER_BUS;
      if (beat == 0) break;
      size_t slot = id & engine->top_id, place = count == engine->n || id == engine->top_id ? 0 : slot + 1;
      size_t at = engine->n * place + 8u * filled[slot]++;
      if (beat != 8 || at + 8 > count) return DRIVER_LENGTH;
      memcpy(values + at, bytes, 8);
      came += 8;
    }
    if (!(*status & XMSS_STATUS_BUSY_MASK)) break;
    if (!bus->goes_on(bus->context, times)) return DRIVER_NO_ANSWER;
  }
  uint32_t again;
  if (!bus->read(bus->context, XMSS_STATUS, &again)) return DRIVER_BUS;
  uint8_t due = engine->due;
  engine->due = xmss_number(again);
  if (again != *status || engine->due != due) return DRIVER_NO_ANSWER;
  if ((again & XMSS_STATUS_RESULT_MASK) >> XMSS_STATUS_RESULT_SHIFT == XMSS_STATUS_RESULT_OK && came != count) return DRIVER_LENGTH;
  return DRIVER_OK;
}

// The same for a command that gives no verdict: it was done, or why not.
static inline driver_result xmss_done(xmss_engine *engine, uint8_t *values, size_t count) {
  uint32_t status;
  driver_result finished = xmss_finish(engine, values, count, &status);
  if (finished != DRIVER_OK) return finished;
  return (status & XMSS_STATUS_RESULT_MASK) >> XMSS_STATUS_RESULT_SHIFT == XMSS_STATUS_RESULT_OK ? DRIVER_OK : DRIVER_REFUSED;
}

// Looks whether the engine is there, and has it forget everything.
static inline driver_result xmss_open(xmss_engine *engine, const register_bus *bus) {
  uint32_t id, version, features, status;
  if (!bus->read(bus->context, XMSS_ID, &id) || !bus->read(bus->context, XMSS_VERSION, &version)) return DRIVER_BUS;
  if (id != 0x584d5353u || version >> XMSS_VERSION_MAJOR_SHIFT != 1 || (version & XMSS_VERSION_MINOR_MASK) < 6) return DRIVER_OTHER;
  if (!bus->read(bus->context, XMSS_FEATURES, &features)) return DRIVER_BUS;
  driver_result waited = register_bus_wait(bus, XMSS_STATUS, XMSS_STATUS_BUSY_MASK, &status);
  if (waited != DRIVER_OK) return waited;
  engine->bus = bus;
  engine->n = 32;
  engine->top_id = features & XMSS_FEATURES_NARROW_MASK ? 511 : 127;
  engine->due = xmss_number(status);
  driver_result begun = xmss_begin(engine, XMSS_COMMAND_OP_CLEAR, 0, 0);
  return begun == DRIVER_OK ? xmss_done(engine, NULL, 0) : begun;
}

// Takes a key, each part filled up to n bytes. With `secret` these are SK_SEED, SK_PRF, PUB_SEED and
// root, of LMS SEED, I and root, and indices below `first` sign nothing; else PUB_SEED (of LMS I)
// and root.
static inline driver_result xmss_load(xmss_engine *engine, xmss_set set, bool secret, uint32_t first, const xmss_part *parts, size_t count) {
  const uint32_t widths[] = {0, XMSS_COMMAND_NARROW_MASK | XMSS_COMMAND_OCTETS_MASK, XMSS_COMMAND_NARROW_MASK, 0, 0, 0, 0, 0, XMSS_COMMAND_OCTETS_MASK};
  if (set.w > 8 || set.height > 20 || (set.n != 24 && set.n != 32)) return DRIVER_REFUSED;
  uint32_t op = secret ? XMSS_COMMAND_OP_LOAD_KEY : XMSS_COMMAND_OP_LOAD_PUBLIC;
  uint32_t command = op | set.mode << XMSS_COMMAND_MODE_SHIFT | widths[set.w] | (uint32_t)set.height << XMSS_COMMAND_HEIGHT_SHIFT;
  for (size_t i = 0; i < count; i++)
    if (parts[i].count > set.n) return DRIVER_REFUSED;
  engine->n = set.n;
  driver_result begun = xmss_begin(engine, command, secret ? first : 0, 0);
  if (begun != DRIVER_OK) return begun;
  for (size_t i = 0; i < count; i++) {
    // A part is filled up without a copy of it: I of LMS has 16 bytes.
    const uint8_t zeros[32] = {0};
    size_t behind = set.n - parts[i].count;
    unsigned stream = secret ? XMSS_STREAM_KEY : XMSS_STREAM_DATA;
    bool last = i + 1 == count;
    if (!register_bus_send(engine->bus, stream, parts[i].at, parts[i].count, 8, last && behind == 0)) return DRIVER_BUS;
    if (!register_bus_send(engine->bus, stream, zeros, behind, 8, last)) return DRIVER_BUS;
  }
  return xmss_done(engine, NULL, 0);
}

// Prepares the signature of `index`, and waits for it. `options` is 0, or XMSS_COMMAND_CHECK_MASK
// for its verification, or XMSS_COMMAND_CHAIN_TABLE_MASK for a table of all chain values.
static inline driver_result xmss_prepare(xmss_engine *engine, uint32_t index, uint32_t options) {
  driver_result begun = xmss_begin(engine, XMSS_COMMAND_OP_PREPARE | options, index, 0);
  return begun == DRIVER_OK ? xmss_done(engine, NULL, 0) : begun;
}

// Reads the randomizer and the chain values, n bytes each. Whatever the result is, the index counts
// as used.
static inline driver_result xmss_sign(xmss_engine *engine, uint32_t index, xmss_part message, uint8_t *values, size_t count) {
  driver_result begun = xmss_begin(engine, XMSS_COMMAND_OP_SIGN, index, message.count);
  if (begun != DRIVER_OK) return begun;
  if (!register_bus_send(engine->bus, XMSS_STREAM_DATA, message.at, message.count, 8, true)) return DRIVER_BUS;
  return xmss_done(engine, values, count);
}

// Says whether randomizer, chain values and path are a signature of the message: DRIVER_OK,
// DRIVER_BAD, or why there is no verdict.
static inline driver_result xmss_verify(xmss_engine *engine, uint32_t index, xmss_part message, const xmss_part signature[3]) {
  const xmss_part parts[] = {signature[0], message, signature[1], signature[2]};
  uint32_t status;
  driver_result ended = xmss_begin(engine, XMSS_COMMAND_OP_VERIFY, index, message.count);
  for (unsigned i = 0; i < 4 && ended == DRIVER_OK; i++)
    if (!register_bus_send(engine->bus, XMSS_STREAM_DATA, parts[i].at, parts[i].count, 8, i == 3)) ended = DRIVER_BUS;
  if (ended == DRIVER_OK) ended = xmss_finish(engine, NULL, 0, &status);
  if (ended != DRIVER_OK) return ended;
  switch ((status & XMSS_STATUS_VERDICT_MASK) >> XMSS_STATUS_VERDICT_SHIFT) {
    case XMSS_STATUS_VERDICT_GOOD: return DRIVER_OK;
    case XMSS_STATUS_VERDICT_BAD: return DRIVER_BAD;
    case XMSS_STATUS_VERDICT_REFUSED: return DRIVER_REFUSED;
    default: return DRIVER_NO_ANSWER;
  }
}

// Computes the node `index` of height `height`; of height 0 a leaf.
static inline driver_result xmss_node(xmss_engine *engine, unsigned height, uint32_t index, uint8_t *value) {
  driver_result begun = xmss_begin(engine, XMSS_COMMAND_OP_NODE | (uint32_t)(height & 31) << XMSS_COMMAND_HEIGHT_SHIFT, index, 0);
  return begun == DRIVER_OK ? xmss_done(engine, value, engine->n) : begun;
}
