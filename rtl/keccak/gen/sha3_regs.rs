//! Registers of the SHA-3 unit behind AXI. Written by `cargo xtask hw registers` from
//! registers.toml.

/// Bytes of the block.
pub const SIZE: usize = 0x80;

/// The letters SHA3, first letter in the highest byte.
pub const ID: usize = 0x00;
/// SHA3
pub const ID_LETTERS_MASK: u32 = 0xffffffff;
/// The lowest bit of it.
pub const ID_LETTERS_SHIFT: u32 = 0;

/// Version of this map.
pub const VERSION: usize = 0x04;
/// grows with additions
pub const VERSION_MINOR_MASK: u32 = 0x0000ffff;
/// The lowest bit of it.
pub const VERSION_MINOR_SHIFT: u32 = 0;
/// grows with changes
pub const VERSION_MAJOR_MASK: u32 = 0xffff0000;
/// The lowest bit of it.
pub const VERSION_MAJOR_SHIFT: u32 = 16;

/// Options that the core was built with.
pub const FEATURES: usize = 0x08;
/// rounds in the loop
pub const FEATURES_UNROLL_MASK: u32 = 0x0000000f;
/// The lowest bit of it.
pub const FEATURES_UNROLL_SHIFT: u32 = 0;
/// place of the register inside a round
pub const FEATURES_INNER_MASK: u32 = 0x00000030;
/// The lowest bit of it.
pub const FEATURES_INNER_SHIFT: u32 = 4;
/// a register after each round
pub const FEATURES_OUTREG_MASK: u32 = 0x00000040;
/// The lowest bit of it.
pub const FEATURES_OUTREG_SHIFT: u32 = 6;
/// messages at once
pub const FEATURES_TAGS_MASK: u32 = 0x00000f00;
/// The lowest bit of it.
pub const FEATURES_TAGS_SHIFT: u32 = 8;

/// State of the command.
pub const STATUS: usize = 0x0c;
/// the command waits for its tag to be idle; the registers from `command` to `data` must not be
/// written
pub const STATUS_BUSY_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const STATUS_BUSY_SHIFT: u32 = 0;

/// Writing it gives a command, with the registers below as they are.
pub const COMMAND: usize = 0x10;
/// what to do
pub const COMMAND_OP_MASK: u32 = 0x00000007;
/// The lowest bit of it.
pub const COMMAND_OP_SHIFT: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_CHAIN: u32 = 5;
/// Value of the field.
pub const COMMAND_OP_CLEAR: u32 = 6;
/// Value of the field.
pub const COMMAND_OP_HASH: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_LOAD: u32 = 2;
/// Value of the field.
pub const COMMAND_OP_PREFIX: u32 = 4;
/// Value of the field.
pub const COMMAND_OP_RESUME: u32 = 1;
/// Value of the field.
pub const COMMAND_OP_SAVE: u32 = 3;
/// which of the four messages
pub const COMMAND_TAG_MASK: u32 = 0x00000030;
/// The lowest bit of it.
pub const COMMAND_TAG_SHIFT: u32 = 4;
/// lanes of a block
pub const COMMAND_RATE_MASK: u32 = 0x00001f00;
/// The lowest bit of it.
pub const COMMAND_RATE_SHIFT: u32 = 8;
/// Value of the field.
pub const COMMAND_RATE_SHA3_224: u32 = 18;
/// Value of the field.
pub const COMMAND_RATE_SHA3_256: u32 = 17;
/// Value of the field.
pub const COMMAND_RATE_SHA3_384: u32 = 13;
/// Value of the field.
pub const COMMAND_RATE_SHA3_512: u32 = 9;
/// Value of the field.
pub const COMMAND_RATE_SHAKE128: u32 = 21;
/// Value of the field.
pub const COMMAND_RATE_SHAKE256: u32 = 17;
/// domain and first padding bit
pub const COMMAND_SUFFIX_MASK: u32 = 0x00ff0000;
/// The lowest bit of it.
pub const COMMAND_SUFFIX_SHIFT: u32 = 16;
/// Value of the field.
pub const COMMAND_SUFFIX_CSHAKE: u32 = 4;
/// Value of the field.
pub const COMMAND_SUFFIX_SHA3: u32 = 6;
/// Value of the field.
pub const COMMAND_SUFFIX_SHAKE: u32 = 31;
/// lanes of the value of a chain: 2, 3 or 4
pub const COMMAND_LANES_MASK: u32 = 0x07000000;
/// The lowest bit of it.
pub const COMMAND_LANES_SHIFT: u32 = 24;

/// Bytes of output, at least 1.
pub const LENGTH: usize = 0x14;

/// Steps of a chain.
pub const STEPS: usize = 0x18;
/// count
pub const STEPS_COUNT_MASK: u32 = 0x0000ffff;
/// The lowest bit of it.
pub const STEPS_COUNT_SHIFT: u32 = 0;

/// Counter of a chain's first step.
pub const COUNTER: usize = 0x1c;

/// Prefix or tweak, first bytes in the low bits of the first word.
pub const DATA: [usize; 8] = [0x20, 0x24, 0x28, 0x2c, 0x30, 0x34, 0x38, 0x3c];

/// The last output of a tag has left.
pub const DONE: usize = 0x40;
/// one bit for each tag
pub const DONE_TAG_MASK: u32 = 0x0000000f;
/// The lowest bit of it.
pub const DONE_TAG_SHIFT: u32 = 0;

/// Bits of `done` that raise the interrupt.
pub const INTERRUPT_ENABLE: usize = 0x44;
/// one bit for each tag
pub const INTERRUPT_ENABLE_TAG_MASK: u32 = 0x0000000f;
/// The lowest bit of it.
pub const INTERRUPT_ENABLE_TAG_SHIFT: u32 = 0;

/// Clock cycles since reset or `control.clear`, low half.
pub const CYCLES_LOW: usize = 0x48;

/// High half.
pub const CYCLES_HIGH: usize = 0x4c;

/// Acts on the block.
pub const CONTROL: usize = 0x50;
/// the cycle counter starts again
pub const CONTROL_CLEAR_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const CONTROL_CLEAR_SHIFT: u32 = 0;
