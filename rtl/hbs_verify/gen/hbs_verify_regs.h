// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of the verifier of LMS, HSS and XMSS behind AXI. Written by `cargo xtask hw registers`
// from registers.toml.
#pragma once

#define HBS_VERIFY_SIZE 0x40u

// The letters HBSV, first letter in the highest byte.
#define HBS_VERIFY_ID 0x00u
#define HBS_VERIFY_ID_LETTERS_MASK 0xffffffffu
#define HBS_VERIFY_ID_LETTERS_SHIFT 0

// Version of this map.
#define HBS_VERIFY_VERSION 0x04u
#define HBS_VERIFY_VERSION_MINOR_MASK 0x0000ffffu
#define HBS_VERIFY_VERSION_MINOR_SHIFT 0
#define HBS_VERIFY_VERSION_MAJOR_MASK 0xffff0000u
#define HBS_VERIFY_VERSION_MAJOR_SHIFT 16

// State of the verification, and its answer, which stays until the next command.
#define HBS_VERIFY_STATUS 0x08u
#define HBS_VERIFY_STATUS_BUSY_MASK 0x00000001u
#define HBS_VERIFY_STATUS_BUSY_SHIFT 0
#define HBS_VERIFY_STATUS_VERDICT_MASK 0x0000ff00u
#define HBS_VERIFY_STATUS_VERDICT_SHIFT 8
#define HBS_VERIFY_STATUS_VERDICT_BAD 105u
#define HBS_VERIFY_STATUS_VERDICT_GOOD 150u
#define HBS_VERIFY_STATUS_VERDICT_NONE 0u
#define HBS_VERIFY_STATUS_VERDICT_REFUSED 15u

// Writing it gives a command, with `length` and `length_high` as they are; its words follow in the
// stream.
#define HBS_VERIFY_COMMAND 0x0cu
#define HBS_VERIFY_COMMAND_OP_MASK 0x00000001u
#define HBS_VERIFY_COMMAND_OP_SHIFT 0
#define HBS_VERIFY_COMMAND_OP_CLEAR 1u
#define HBS_VERIFY_COMMAND_OP_VERIFY 0u
#define HBS_VERIFY_COMMAND_HSS_MASK 0x00000010u
#define HBS_VERIFY_COMMAND_HSS_SHIFT 4
#define HBS_VERIFY_COMMAND_DIGEST_MASK 0x00000020u
#define HBS_VERIFY_COMMAND_DIGEST_SHIFT 5
#define HBS_VERIFY_COMMAND_XMSS_MASK 0x00000040u
#define HBS_VERIFY_COMMAND_XMSS_SHIFT 6

// Bytes of the message, the lower bits.
#define HBS_VERIFY_LENGTH 0x10u
#define HBS_VERIFY_LENGTH_BYTES_MASK 0xffffffffu
#define HBS_VERIFY_LENGTH_BYTES_SHIFT 0

// Bytes of the message, bits 63 to 32; 2^60 bytes and more are refused.
#define HBS_VERIFY_LENGTH_HIGH 0x14u
#define HBS_VERIFY_LENGTH_HIGH_BYTES_MASK 0xffffffffu
#define HBS_VERIFY_LENGTH_HIGH_BYTES_SHIFT 0

// Events since they were cleared.
#define HBS_VERIFY_DONE 0x18u
#define HBS_VERIFY_DONE_ANSWER_MASK 0x00000001u
#define HBS_VERIFY_DONE_ANSWER_SHIFT 0
#define HBS_VERIFY_DONE_LOST_MASK 0x00000002u
#define HBS_VERIFY_DONE_LOST_SHIFT 1

// Bits of `done` that raise the interrupt.
#define HBS_VERIFY_INTERRUPT_ENABLE 0x1cu
#define HBS_VERIFY_INTERRUPT_ENABLE_ANSWER_MASK 0x00000001u
#define HBS_VERIFY_INTERRUPT_ENABLE_ANSWER_SHIFT 0
#define HBS_VERIFY_INTERRUPT_ENABLE_LOST_MASK 0x00000002u
#define HBS_VERIFY_INTERRUPT_ENABLE_LOST_SHIFT 1

// Clock cycles from the last command to its answer, or so far.
#define HBS_VERIFY_CYCLES 0x20u

// Options that the core was built with.
#define HBS_VERIFY_FEATURES 0x24u
#define HBS_VERIFY_FEATURES_XMSS_MASK 0x00000001u
#define HBS_VERIFY_FEATURES_XMSS_SHIFT 0
