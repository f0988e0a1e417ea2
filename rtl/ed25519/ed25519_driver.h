// SPDX-License-Identifier: Apache-2.0 OR MIT
// Driver of ed25519_axi in C99: what ed25519_driver.rs does. Keys, signatures and their numbers are
// those of RFC 8032.
#pragma once
#include "../common/register_bus.h"
#include "gen/ed25519_axi_regs.h"

// The input stream of seeds (rtl/common/register_bus.h).
enum { ED25519_STREAM_KEY = 1 };

// Looks whether the core is there.
static inline driver_result ed25519_open(const register_bus *bus) {
  uint32_t id, version;
  if (!bus->read(bus->context, ED25519_AXI_ID, &id) || !bus->read(bus->context, ED25519_AXI_VERSION, &version)) return DRIVER_BUS;
  return id == 0x45443235u && version >> ED25519_AXI_VERSION_MAJOR_SHIFT == 2 ? DRIVER_OK : DRIVER_OTHER;
}

// Gives a command. One that the core does not take leaves the last response as it was, so the core
// must be busy: an operation waits for its stream, but `clear`, which has none.
static inline driver_result ed25519_begin(const register_bus *bus, uint32_t op) {
  uint32_t status;
  if (!bus->write(bus->context, ED25519_AXI_DONE, ED25519_AXI_DONE_RESPONSE_MASK)) return DRIVER_BUS;
  if (!bus->write(bus->context, ED25519_AXI_COMMAND, op) || !bus->read(bus->context, ED25519_AXI_STATUS, &status)) return DRIVER_BUS;
  return status & ED25519_AXI_STATUS_BUSY_MASK || op == ED25519_AXI_COMMAND_OP_CLEAR ? DRIVER_OK : DRIVER_NO_ANSWER;
}

// Sends a message, which ends with its last beat, which is empty where the message is.
static inline bool ed25519_message(const register_bus *bus, const uint8_t *message, size_t count) {
  size_t whole = count ? (count - 1) / 8 * 8 : 0;
  return register_bus_send(bus, 0, message, whole, 8, false) && bus->send(bus->context, 0, message + whole, count - whole, true);
}

// Takes output until the operation has ended: `count` bytes where it is good or done, and what the
// core says of it.
static inline driver_result ed25519_finish(const register_bus *bus, uint8_t *out, size_t count, uint32_t *verdict) {
  uint32_t status, again, done;
  uint8_t bytes[16];
  size_t came = 0, beat;
  unsigned id;
  for (uint32_t times = 1;; times++) {
    if (!bus->read(bus->context, ED25519_AXI_STATUS, &status)) return DRIVER_BUS;
    for (;;) {
      if (!bus->receive(bus->context, bytes, &beat, &id)) return DRIVER_BUS;
      if (beat == 0) break;
      if (beat != 8 || came + 8 > count) return DRIVER_LENGTH;
      memcpy(out + came, bytes, 8);
      came += 8;
    }
    if (!(status & ED25519_AXI_STATUS_BUSY_MASK)) break;
    if (!bus->goes_on(bus->context, times)) return DRIVER_NO_ANSWER;
  }
  if (!bus->read(bus->context, ED25519_AXI_DONE, &done) || !bus->read(bus->context, ED25519_AXI_STATUS, &again)) return DRIVER_BUS;
  if (!(done & ED25519_AXI_DONE_RESPONSE_MASK) || again != status) return DRIVER_NO_ANSWER;
  *verdict = (again & ED25519_AXI_STATUS_VERDICT_MASK) >> ED25519_AXI_STATUS_VERDICT_SHIFT;
  bool whole = *verdict == ED25519_AXI_STATUS_VERDICT_GOOD || *verdict == ED25519_AXI_STATUS_VERDICT_DONE;
  return whole && came != count ? DRIVER_LENGTH : DRIVER_OK;
}

// Makes the key of a seed, which the core holds and signs with until another one is made or it is
// wiped, and gives the public key. No private key leaves the core.
static inline driver_result ed25519_keygen(const register_bus *bus, const uint8_t seed[32], uint8_t open[32]) {
  uint32_t verdict;
  driver_result result = ed25519_begin(bus, ED25519_AXI_COMMAND_OP_KEYGEN);
  if (result != DRIVER_OK) return result;
  if (!register_bus_send(bus, ED25519_STREAM_KEY, seed, 32, 8, true)) return DRIVER_BUS;
  result = ed25519_finish(bus, open, 32, &verdict);
  if (result != DRIVER_OK) return result;
  return verdict == ED25519_AXI_STATUS_VERDICT_DONE ? DRIVER_OK : DRIVER_NO_ANSWER;
}

// Signs a message, which the core reads twice. DRIVER_REFUSED: it holds no key; DRIVER_BAD: the two
// readings differed.
static inline driver_result ed25519_sign(const register_bus *bus, const uint8_t *message, size_t count, uint8_t signature[64]) {
  uint32_t verdict, status;
  if (!bus->read(bus->context, ED25519_AXI_STATUS, &status)) return DRIVER_BUS;
  if (!(status & ED25519_AXI_STATUS_KEY_MASK)) return DRIVER_REFUSED;
  driver_result result = ed25519_begin(bus, ED25519_AXI_COMMAND_OP_SIGN);
  if (result != DRIVER_OK) return result;
  for (unsigned i = 0; i < 2; i++)
    if (!ed25519_message(bus, message, count)) return DRIVER_BUS;
  result = ed25519_finish(bus, signature, 64, &verdict);
  if (result != DRIVER_OK) return result;
  if (verdict == ED25519_AXI_STATUS_VERDICT_BAD) return DRIVER_BAD;
  if (verdict == ED25519_AXI_STATUS_VERDICT_REFUSED) return DRIVER_REFUSED;
  return verdict == ED25519_AXI_STATUS_VERDICT_DONE ? DRIVER_OK : DRIVER_NO_ANSWER;
}

// Says whether the signature is one of the message.
static inline driver_result ed25519_verify(const register_bus *bus, const uint8_t open[32], const uint8_t *message, size_t count, const uint8_t signature[64]) {
  uint32_t verdict;
  driver_result result = ed25519_begin(bus, ED25519_AXI_COMMAND_OP_VERIFY);
  if (result != DRIVER_OK) return result;
  const uint8_t *parts[] = {signature, open, signature + 32};
  for (unsigned i = 0; i < 3; i++)
    if (!register_bus_send(bus, 0, parts[i], 32, 8, false)) return DRIVER_BUS;
  if (!ed25519_message(bus, message, count)) return DRIVER_BUS;
  result = ed25519_finish(bus, NULL, 0, &verdict);
  if (result != DRIVER_OK) return result;
  if (verdict == ED25519_AXI_STATUS_VERDICT_BAD) return DRIVER_BAD;
  return verdict == ED25519_AXI_STATUS_VERDICT_GOOD ? DRIVER_OK : DRIVER_NO_ANSWER;
}

// Wipes the core and its streams of all that keys and messages left there.
static inline driver_result ed25519_clear(const register_bus *bus) {
  uint32_t verdict;
  driver_result result = ed25519_begin(bus, ED25519_AXI_COMMAND_OP_CLEAR);
  if (result == DRIVER_OK) result = ed25519_finish(bus, NULL, 0, &verdict);
  if (result != DRIVER_OK) return result;
  return verdict == ED25519_AXI_STATUS_VERDICT_DONE ? DRIVER_OK : DRIVER_NO_ANSWER;
}
