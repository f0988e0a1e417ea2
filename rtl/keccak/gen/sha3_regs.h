// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of the SHA-3 unit behind AXI. Written by `cargo xtask hw registers` from
// registers.toml.
#pragma once

#define SHA3_SIZE 0x80u

// The letters SHA3, first letter in the highest byte.
#define SHA3_ID 0x00u
#define SHA3_ID_LETTERS_MASK 0xffffffffu
#define SHA3_ID_LETTERS_SHIFT 0

// Version of this map.
#define SHA3_VERSION 0x04u
#define SHA3_VERSION_MINOR_MASK 0x0000ffffu
#define SHA3_VERSION_MINOR_SHIFT 0
#define SHA3_VERSION_MAJOR_MASK 0xffff0000u
#define SHA3_VERSION_MAJOR_SHIFT 16

// Options that the core was built with.
#define SHA3_FEATURES 0x08u
#define SHA3_FEATURES_UNROLL_MASK 0x0000000fu
#define SHA3_FEATURES_UNROLL_SHIFT 0
#define SHA3_FEATURES_INNER_MASK 0x00000030u
#define SHA3_FEATURES_INNER_SHIFT 4
#define SHA3_FEATURES_OUTREG_MASK 0x00000040u
#define SHA3_FEATURES_OUTREG_SHIFT 6
#define SHA3_FEATURES_TAGS_MASK 0x00000f00u
#define SHA3_FEATURES_TAGS_SHIFT 8

// State of the command.
#define SHA3_STATUS 0x0cu
#define SHA3_STATUS_BUSY_MASK 0x00000001u
#define SHA3_STATUS_BUSY_SHIFT 0

// Writing it gives a command, with the registers below as they are.
#define SHA3_COMMAND 0x10u
#define SHA3_COMMAND_OP_MASK 0x00000007u
#define SHA3_COMMAND_OP_SHIFT 0
#define SHA3_COMMAND_OP_CHAIN 5u
#define SHA3_COMMAND_OP_CLEAR 6u
#define SHA3_COMMAND_OP_HASH 0u
#define SHA3_COMMAND_OP_LOAD 2u
#define SHA3_COMMAND_OP_PREFIX 4u
#define SHA3_COMMAND_OP_RESUME 1u
#define SHA3_COMMAND_OP_SAVE 3u
#define SHA3_COMMAND_TAG_MASK 0x00000030u
#define SHA3_COMMAND_TAG_SHIFT 4
#define SHA3_COMMAND_RATE_MASK 0x00001f00u
#define SHA3_COMMAND_RATE_SHIFT 8
#define SHA3_COMMAND_RATE_SHA3_224 18u
#define SHA3_COMMAND_RATE_SHA3_256 17u
#define SHA3_COMMAND_RATE_SHA3_384 13u
#define SHA3_COMMAND_RATE_SHA3_512 9u
#define SHA3_COMMAND_RATE_SHAKE128 21u
#define SHA3_COMMAND_RATE_SHAKE256 17u
#define SHA3_COMMAND_SUFFIX_MASK 0x00ff0000u
#define SHA3_COMMAND_SUFFIX_SHIFT 16
#define SHA3_COMMAND_SUFFIX_CSHAKE 4u
#define SHA3_COMMAND_SUFFIX_SHA3 6u
#define SHA3_COMMAND_SUFFIX_SHAKE 31u
#define SHA3_COMMAND_LANES_MASK 0x07000000u
#define SHA3_COMMAND_LANES_SHIFT 24

// Bytes of output, at least 1.
#define SHA3_LENGTH 0x14u

// Steps of a chain.
#define SHA3_STEPS 0x18u
#define SHA3_STEPS_COUNT_MASK 0x0000ffffu
#define SHA3_STEPS_COUNT_SHIFT 0

// Counter of a chain's first step.
#define SHA3_COUNTER 0x1cu

// Prefix or tweak, first bytes in the low bits of the first word.
#define SHA3_DATA(i) (0x20u + 4u * (i))

// The last output of a tag has left.
#define SHA3_DONE 0x40u
#define SHA3_DONE_TAG_MASK 0x0000000fu
#define SHA3_DONE_TAG_SHIFT 0

// Bits of `done` that raise the interrupt.
#define SHA3_INTERRUPT_ENABLE 0x44u
#define SHA3_INTERRUPT_ENABLE_TAG_MASK 0x0000000fu
#define SHA3_INTERRUPT_ENABLE_TAG_SHIFT 0

// Clock cycles since reset or `control.clear`, low half.
#define SHA3_CYCLES_LOW 0x48u

// High half.
#define SHA3_CYCLES_HIGH 0x4cu

// Acts on the block.
#define SHA3_CONTROL 0x50u
#define SHA3_CONTROL_CLEAR_MASK 0x00000001u
#define SHA3_CONTROL_CLEAR_SHIFT 0
