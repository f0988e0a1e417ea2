// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of the XMSS and LMS engine behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
#pragma once

#define XMSS_SIZE 0x40u

// The letters XMSS, first letter in the highest byte.
#define XMSS_ID 0x00u
#define XMSS_ID_LETTERS_MASK 0xffffffffu
#define XMSS_ID_LETTERS_SHIFT 0

// Version of this map.
#define XMSS_VERSION 0x04u
#define XMSS_VERSION_MINOR_MASK 0x0000ffffu
#define XMSS_VERSION_MINOR_SHIFT 0
#define XMSS_VERSION_MAJOR_MASK 0xffff0000u
#define XMSS_VERSION_MAJOR_SHIFT 16

// Options that the core was built with.
#define XMSS_FEATURES 0x08u
#define XMSS_FEATURES_CORES_MASK 0x000000ffu
#define XMSS_FEATURES_CORES_SHIFT 0
#define XMSS_FEATURES_UNROLL_MASK 0x00000f00u
#define XMSS_FEATURES_UNROLL_SHIFT 8
#define XMSS_FEATURES_SHAKE_MASK 0x00001000u
#define XMSS_FEATURES_SHAKE_SHIFT 12
#define XMSS_FEATURES_NARROW_MASK 0x00002000u
#define XMSS_FEATURES_NARROW_SHIFT 13

// State of the commands. One may wait behind the one that runs.
#define XMSS_STATUS 0x0cu
#define XMSS_STATUS_BUSY_MASK 0x00000001u
#define XMSS_STATUS_BUSY_SHIFT 0
#define XMSS_STATUS_FULL_MASK 0x00000002u
#define XMSS_STATUS_FULL_SHIFT 1
#define XMSS_STATUS_RESULT_MASK 0x00000030u
#define XMSS_STATUS_RESULT_SHIFT 4
#define XMSS_STATUS_RESULT_BAD 1u
#define XMSS_STATUS_RESULT_OK 0u
#define XMSS_STATUS_RESULT_REFUSED 2u
#define XMSS_STATUS_EARLIER_MASK 0x000000c0u
#define XMSS_STATUS_EARLIER_SHIFT 6
#define XMSS_STATUS_ANSWERS_MASK 0x0000ff00u
#define XMSS_STATUS_ANSWERS_SHIFT 8
#define XMSS_STATUS_VERDICT_MASK 0x00ff0000u
#define XMSS_STATUS_VERDICT_SHIFT 16
#define XMSS_STATUS_VERDICT_BAD 105u
#define XMSS_STATUS_VERDICT_GOOD 150u
#define XMSS_STATUS_VERDICT_NONE 0u
#define XMSS_STATUS_VERDICT_REFUSED 15u

// Writing it gives a command, with `index`, `length` and `length_high` as they are; its words
// follow in the stream.
#define XMSS_COMMAND 0x10u
#define XMSS_COMMAND_OP_MASK 0x0000000fu
#define XMSS_COMMAND_OP_SHIFT 0
#define XMSS_COMMAND_OP_CLEAR 6u
#define XMSS_COMMAND_OP_LEAF 5u
#define XMSS_COMMAND_OP_LOAD_KEY 0u
#define XMSS_COMMAND_OP_LOAD_PUBLIC 1u
#define XMSS_COMMAND_OP_NODE 7u
#define XMSS_COMMAND_OP_PREPARE 2u
#define XMSS_COMMAND_OP_SIGN 3u
#define XMSS_COMMAND_OP_VERIFY 4u
#define XMSS_COMMAND_CHECK_MASK 0x00000010u
#define XMSS_COMMAND_CHECK_SHIFT 4
#define XMSS_COMMAND_IDLE_MASK 0x00000020u
#define XMSS_COMMAND_IDLE_SHIFT 5
#define XMSS_COMMAND_CHAIN_TABLE_MASK 0x00000040u
#define XMSS_COMMAND_CHAIN_TABLE_SHIFT 6
#define XMSS_COMMAND_MODE_MASK 0x00000300u
#define XMSS_COMMAND_MODE_SHIFT 8
#define XMSS_COMMAND_MODE_LMS_N24 3u
#define XMSS_COMMAND_MODE_LMS_N32 2u
#define XMSS_COMMAND_MODE_SHAKE256_N24 1u
#define XMSS_COMMAND_MODE_SHAKE256_N32 2u
#define XMSS_COMMAND_MODE_SHAKE_N32 0u
#define XMSS_COMMAND_MODE_XMSS_N24 1u
#define XMSS_COMMAND_MODE_XMSS_N32 0u
#define XMSS_COMMAND_OCTETS_MASK 0x00000400u
#define XMSS_COMMAND_OCTETS_SHIFT 10
#define XMSS_COMMAND_NARROW_MASK 0x00000800u
#define XMSS_COMMAND_NARROW_SHIFT 11
#define XMSS_COMMAND_HEIGHT_MASK 0x001f0000u
#define XMSS_COMMAND_HEIGHT_SHIFT 16

// Number of the one-time key, or of the node among those of its height; load_key: the first one
// that may sign.
#define XMSS_INDEX 0x14u

// Length of the message of a signature or verification, its lower bits.
#define XMSS_LENGTH 0x18u
#define XMSS_LENGTH_BYTES_MASK 0xffffffffu
#define XMSS_LENGTH_BYTES_SHIFT 0

// Events since they were cleared.
#define XMSS_DONE 0x1cu
#define XMSS_DONE_ANSWER_MASK 0x00000001u
#define XMSS_DONE_ANSWER_SHIFT 0
#define XMSS_DONE_LOST_MASK 0x00000002u
#define XMSS_DONE_LOST_SHIFT 1

// Bits of `done` that raise the interrupt.
#define XMSS_INTERRUPT_ENABLE 0x20u
#define XMSS_INTERRUPT_ENABLE_ANSWER_MASK 0x00000001u
#define XMSS_INTERRUPT_ENABLE_ANSWER_SHIFT 0
#define XMSS_INTERRUPT_ENABLE_LOST_MASK 0x00000002u
#define XMSS_INTERRUPT_ENABLE_LOST_SHIFT 1

// Clock cycles of the last answered command, from where the engine took it.
#define XMSS_CYCLES 0x24u

// The length's bits 59 to 32.
#define XMSS_LENGTH_HIGH 0x28u
#define XMSS_LENGTH_HIGH_BYTES_MASK 0x0fffffffu
#define XMSS_LENGTH_HIGH_BYTES_SHIFT 0
