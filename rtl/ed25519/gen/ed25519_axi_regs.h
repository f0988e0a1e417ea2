// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of the Ed25519 core behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
#pragma once

#define ED25519_AXI_SIZE 0x40u

// The letters ED25, first letter in the highest byte.
#define ED25519_AXI_ID 0x00u
#define ED25519_AXI_ID_LETTERS_MASK 0xffffffffu
#define ED25519_AXI_ID_LETTERS_SHIFT 0

// Version of this map.
#define ED25519_AXI_VERSION 0x04u
#define ED25519_AXI_VERSION_MINOR_MASK 0x0000ffffu
#define ED25519_AXI_VERSION_MINOR_SHIFT 0
#define ED25519_AXI_VERSION_MAJOR_MASK 0xffff0000u
#define ED25519_AXI_VERSION_MAJOR_SHIFT 16

// Options that the core was built with.
#define ED25519_AXI_FEATURES 0x08u
#define ED25519_AXI_FEATURES_FAST_MASK 0x00000001u
#define ED25519_AXI_FEATURES_FAST_SHIFT 0
#define ED25519_AXI_FEATURES_FIXED_TIME_MASK 0x00000002u
#define ED25519_AXI_FEATURES_FIXED_TIME_SHIFT 1
#define ED25519_AXI_FEATURES_HALF_SIZE_MASK 0x00000004u
#define ED25519_AXI_FEATURES_HALF_SIZE_SHIFT 2
#define ED25519_AXI_FEATURES_LATENCY_MASK 0x000000f0u
#define ED25519_AXI_FEATURES_LATENCY_SHIFT 4

// State of the operation.
#define ED25519_AXI_STATUS 0x0cu
#define ED25519_AXI_STATUS_BUSY_MASK 0x00000001u
#define ED25519_AXI_STATUS_BUSY_SHIFT 0
#define ED25519_AXI_STATUS_KEY_MASK 0x00000004u
#define ED25519_AXI_STATUS_KEY_SHIFT 2
#define ED25519_AXI_STATUS_OK_MASK 0x00000002u
#define ED25519_AXI_STATUS_OK_SHIFT 1
#define ED25519_AXI_STATUS_VERDICT_MASK 0x00ff0000u
#define ED25519_AXI_STATUS_VERDICT_SHIFT 16
#define ED25519_AXI_STATUS_VERDICT_BAD 105u
#define ED25519_AXI_STATUS_VERDICT_DONE 60u
#define ED25519_AXI_STATUS_VERDICT_GOOD 150u
#define ED25519_AXI_STATUS_VERDICT_NONE 0u
#define ED25519_AXI_STATUS_VERDICT_REFUSED 15u

// Writing it begins an operation, which then takes its input from the stream. `clear` takes none:
// it wipes the core and both streams, and is answered when nothing is left.
#define ED25519_AXI_COMMAND 0x10u
#define ED25519_AXI_COMMAND_OP_MASK 0x00000003u
#define ED25519_AXI_COMMAND_OP_SHIFT 0
#define ED25519_AXI_COMMAND_OP_CLEAR 3u
#define ED25519_AXI_COMMAND_OP_KEYGEN 0u
#define ED25519_AXI_COMMAND_OP_SIGN 1u
#define ED25519_AXI_COMMAND_OP_VERIFY 2u

// An operation has ended; its output is in the stream.
#define ED25519_AXI_DONE 0x14u
#define ED25519_AXI_DONE_RESPONSE_MASK 0x00000001u
#define ED25519_AXI_DONE_RESPONSE_SHIFT 0

// Bits of `done` that raise the interrupt.
#define ED25519_AXI_INTERRUPT_ENABLE 0x18u
#define ED25519_AXI_INTERRUPT_ENABLE_RESPONSE_MASK 0x00000001u
#define ED25519_AXI_INTERRUPT_ENABLE_RESPONSE_SHIFT 0

// Clock cycles from the last command to its response, or so far.
#define ED25519_AXI_CYCLES 0x1cu

// Kept and not used: to try the bus with.
#define ED25519_AXI_SCRATCH 0x20u
