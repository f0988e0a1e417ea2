//! Registers of the verifier of LMS, HSS and XMSS behind AXI. Written by `cargo xtask hw registers`
//! from registers.toml.

/// Bytes of the block.
pub const SIZE: usize = 0x40;

/// The letters HBSV, first letter in the highest byte.
pub const ID: usize = 0x00;
/// HBSV
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

/// State of the verification, and its answer, which stays until the next command.
pub const STATUS: usize = 0x08;
/// from the command to its answer
pub const STATUS_BUSY_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const STATUS_BUSY_SHIFT: u32 = 0;
/// of the last command, decided again while it is read; another code is no answer
pub const STATUS_VERDICT_MASK: u32 = 0x0000ff00;
/// The lowest bit of it.
pub const STATUS_VERDICT_SHIFT: u32 = 8;
/// Value of the field.
pub const STATUS_VERDICT_BAD: u32 = 105;
/// Value of the field.
pub const STATUS_VERDICT_GOOD: u32 = 150;
/// Value of the field.
pub const STATUS_VERDICT_NONE: u32 = 0;
/// Value of the field.
pub const STATUS_VERDICT_REFUSED: u32 = 15;

/// Writing it gives a command, with `length` and `length_high` as they are; its words follow in the
/// stream.
pub const COMMAND: usize = 0x0c;
/// verify, or end what is in work as a reset does, without an answer
pub const COMMAND_OP_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const COMMAND_OP_SHIFT: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_CLEAR: u32 = 1;
/// Value of the field.
pub const COMMAND_OP_VERIFY: u32 = 0;
/// the key is one of HSS
pub const COMMAND_HSS_MASK: u32 = 0x00000010;
/// The lowest bit of it.
pub const COMMAND_HSS_SHIFT: u32 = 4;
/// the digest comes in place of randomizer and message
pub const COMMAND_DIGEST_MASK: u32 = 0x00000020;
/// The lowest bit of it.
pub const COMMAND_DIGEST_SHIFT: u32 = 5;
/// the key is one of XMSS; refused by a core that has none
pub const COMMAND_XMSS_MASK: u32 = 0x00000040;
/// The lowest bit of it.
pub const COMMAND_XMSS_SHIFT: u32 = 6;

/// Bytes of the message, the lower bits.
pub const LENGTH: usize = 0x10;
/// without those that fill its last word
pub const LENGTH_BYTES_MASK: u32 = 0xffffffff;
/// The lowest bit of it.
pub const LENGTH_BYTES_SHIFT: u32 = 0;

/// Bytes of the message, bits 63 to 32; 2^60 bytes and more are refused.
pub const LENGTH_HIGH: usize = 0x14;
/// 0 after a reset
pub const LENGTH_HIGH_BYTES_MASK: u32 = 0xffffffff;
/// The lowest bit of it.
pub const LENGTH_HIGH_BYTES_SHIFT: u32 = 0;

/// Events since they were cleared.
pub const DONE: usize = 0x18;
/// a verification was answered
pub const DONE_ANSWER_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const DONE_ANSWER_SHIFT: u32 = 0;
/// a verification was asked for while `busy`, and forgotten
pub const DONE_LOST_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const DONE_LOST_SHIFT: u32 = 1;

/// Bits of `done` that raise the interrupt.
pub const INTERRUPT_ENABLE: usize = 0x1c;
/// as in `done`
pub const INTERRUPT_ENABLE_ANSWER_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const INTERRUPT_ENABLE_ANSWER_SHIFT: u32 = 0;
/// as in `done`
pub const INTERRUPT_ENABLE_LOST_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const INTERRUPT_ENABLE_LOST_SHIFT: u32 = 1;

/// Clock cycles from the last command to its answer, or so far.
pub const CYCLES: usize = 0x20;

/// Options that the core was built with.
pub const FEATURES: usize = 0x24;
/// signatures of XMSS are verified too
pub const FEATURES_XMSS_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const FEATURES_XMSS_SHIFT: u32 = 0;
