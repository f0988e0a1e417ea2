// SPDX-License-Identifier: Apache-2.0 OR MIT
// Driver of hbs_verify_axi in C99: what hbs_verify_driver.rs does. Keys and signatures are those of
// RFC 8554 and RFC 8391; the driver puts their parts into the order of the stream.
#pragma once
#include "../common/register_bus.h"
#include "gen/hbs_verify_regs.h"

typedef enum hbs_form { HBS_LMS, HBS_HSS, HBS_XMSS } hbs_form;

// The sizes of a set with SHA-256: RFC 8554, Section 4.1 (Parameters) and Section 5.1 (Parameters);
// of XMSS RFC 8391, Section 5.3 (XMSS Parameters); for n = 24 SP 800-208. `code` is the bytes of a
// typecode in a signature.
typedef struct hbs_shape {
  size_t n, chains, height, code;
} hbs_shape;

typedef struct hbs_part {
  const uint8_t *at;
  size_t count;
} hbs_part;

// Takes bytes off the beginning of a part; false where it has fewer.
static inline bool hbs_take(hbs_part *from, size_t count, hbs_part *taken) {
  if (from->count < count) return false;
  *taken = (hbs_part){from->at, count};
  from->at += count;
  from->count -= count;
  return true;
}

static inline uint32_t hbs_number(hbs_part part) {
  return (uint32_t)part.at[0] << 24 | (uint32_t)part.at[1] << 16 | (uint32_t)part.at[2] << 8 | part.at[3];
}

// The sizes that the typecodes at the beginning of a key name; false for others.
static inline bool hbs_shape_of(hbs_form form, hbs_part key, hbs_shape *shape) {
  if (key.count < 8) return false;
  uint32_t tree = hbs_number(key), ots = hbs_number((hbs_part){key.at + 4, 4});
  if (form == HBS_XMSS) {
    if (!((tree >= 1 && tree <= 3) || (tree >= 13 && tree <= 15))) return false;
    const size_t heights[] = {10, 16, 20}, n = tree < 13 ? 32 : 24;
    *shape = (hbs_shape){n, 2 * n + 3, heights[(tree - 1) % 12], 0};
    return true;
  }
  if (tree < 5 || tree > 14 || ots < 1 || ots > 8 || (ots > 4) != (tree >= 10)) return false;
  // Chains with w = 1, 2, 4, 8; RFC 8554, Table 1, and SP 800-208, Table 2.
  const size_t chains[2][4] = {{265, 133, 67, 34}, {200, 101, 51, 26}};
  bool narrow = tree >= 10;
  *shape = (hbs_shape){narrow ? 24u : 32u, chains[narrow][(ots - 1) % 4], 5 * (tree - (narrow ? 10 : 5) + 1), 4};
  return true;
}

static inline size_t hbs_key(hbs_shape s) { return s.code ? 24 + s.n : 4 + 2 * s.n; }
static inline size_t hbs_head(hbs_shape s) { return 4 + s.code + s.n; }
static inline size_t hbs_behind(hbs_shape s) { return s.code + s.n * (s.chains + s.height); }

// Brings key and signature into the order of the stream: six parts before the message, of which the
// last but one is the head without the randomizer, then the randomizer, and what is behind.
static inline bool hbs_parts(hbs_form form, hbs_part key, hbs_part signature, hbs_part part[8]) {
  hbs_part tree = key, rest = signature;
  hbs_shape shape;
  uint32_t levels = 1;
  memset(part, 0, 8 * sizeof *part);
  part[0] = key;
  if (form == HBS_HSS) {
    hbs_part number;
    if (!hbs_take(&tree, 4, &number) || !hbs_take(&rest, 4, &part[1])) return false;
    levels = hbs_number(number);
  }
  if (!hbs_shape_of(form, tree, &shape) || tree.count != hbs_key(shape) || levels < 1 || levels > 2) return false;
  if (levels == 2) {
    if (!hbs_take(&rest, hbs_head(shape), &part[2]) || !hbs_take(&rest, hbs_behind(shape), &part[4])) return false;
    if (!hbs_shape_of(form, rest, &shape) || !hbs_take(&rest, hbs_key(shape), &part[3])) return false;
  }
  if (!hbs_take(&rest, hbs_head(shape) - shape.n, &part[5]) || !hbs_take(&rest, shape.n, &part[6])) return false;
  part[7] = rest;
  return rest.count == hbs_behind(shape);
}

// Looks whether the core is there, and ends what it has in work.
static inline driver_result hbs_verify_open(const register_bus *bus) {
  uint32_t id, version;
  if (!bus->read(bus->context, HBS_VERIFY_ID, &id) || !bus->read(bus->context, HBS_VERIFY_VERSION, &version)) return DRIVER_BUS;
  if (id != 0x48425356u || version >> HBS_VERIFY_VERSION_MAJOR_SHIFT != 1) return DRIVER_OTHER;
  return bus->write(bus->context, HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_OP_CLEAR) ? DRIVER_OK : DRIVER_BUS;
}

// Says whether the core was built to verify signatures of XMSS too.
static inline driver_result hbs_verify_has_xmss(const register_bus *bus, bool *has) {
  uint32_t features;
  if (!bus->read(bus->context, HBS_VERIFY_FEATURES, &features)) return DRIVER_BUS;
  *has = features & HBS_VERIFY_FEATURES_XMSS_MASK;
  return DRIVER_OK;
}

// Says whether the signature is one of the message: DRIVER_OK, DRIVER_BAD, or why there is no
// verdict. DRIVER_REFUSED is another form, other typecodes or another length.
static inline driver_result hbs_verify(const register_bus *bus, hbs_form form, hbs_part key, hbs_part message, hbs_part signature) {
  const uint32_t forms[] = {0, HBS_VERIFY_COMMAND_HSS_MASK, HBS_VERIFY_COMMAND_XMSS_MASK};
  uint32_t status, again;
  hbs_part part[8];
  if (!hbs_parts(form, key, signature, part)) return DRIVER_REFUSED;
  // An answer that is still there is another one's, and this command could be lost as the last.
  if (!bus->write(bus->context, HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_OP_CLEAR)) return DRIVER_BUS;
  if (!bus->read(bus->context, HBS_VERIFY_STATUS, &status)) return DRIVER_BUS;
  if (status & (HBS_VERIFY_STATUS_BUSY_MASK | HBS_VERIFY_STATUS_VERDICT_MASK)) return DRIVER_NO_ANSWER;
  if (!bus->write(bus->context, HBS_VERIFY_LENGTH, (uint32_t)message.count)) return DRIVER_BUS;
  if (!bus->write(bus->context, HBS_VERIFY_LENGTH_HIGH, (uint32_t)((uint64_t)message.count >> 32))) return DRIVER_BUS;
  if (!bus->write(bus->context, HBS_VERIFY_COMMAND, HBS_VERIFY_COMMAND_OP_VERIFY | forms[form])) return DRIVER_BUS;
  for (unsigned i = 0; i < 7; i++)
    if (!register_bus_send(bus, 0, part[i].at, part[i].count, 4, false)) return DRIVER_BUS;
  if (!register_bus_send(bus, 0, message.at, message.count, 4, false)) return DRIVER_BUS;
  if (!register_bus_send(bus, 0, part[7].at, part[7].count, 4, true)) return DRIVER_BUS;
  driver_result waited = register_bus_wait(bus, HBS_VERIFY_STATUS, HBS_VERIFY_STATUS_BUSY_MASK, &status);
  if (waited != DRIVER_OK) return waited;
  // The core decides once more for a second reading.
  if (!bus->read(bus->context, HBS_VERIFY_STATUS, &again)) return DRIVER_BUS;
  if (again != status) return DRIVER_NO_ANSWER;
  switch ((again & HBS_VERIFY_STATUS_VERDICT_MASK) >> HBS_VERIFY_STATUS_VERDICT_SHIFT) {
    case HBS_VERIFY_STATUS_VERDICT_GOOD: return DRIVER_OK;
    case HBS_VERIFY_STATUS_VERDICT_BAD: return DRIVER_BAD;
    case HBS_VERIFY_STATUS_VERDICT_REFUSED: return DRIVER_REFUSED;
    default: return DRIVER_NO_ANSWER;
  }
}
