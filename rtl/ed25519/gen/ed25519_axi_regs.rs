//! Registers of the Ed25519 core behind AXI. Written by `cargo xtask hw registers` from
//! registers.toml.

/// Bytes of the block.
pub const SIZE: usize = 0x40;

/// The letters ED25, first letter in the highest byte.
pub const ID: usize = 0x00;
/// ED25
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
/// the faster configuration
pub const FEATURES_FAST_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const FEATURES_FAST_SHIFT: u32 = 0;
/// key generation and signing take the same cycles for every key
pub const FEATURES_FIXED_TIME_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const FEATURES_FIXED_TIME_SHIFT: u32 = 1;
/// verification with half-size scalars
pub const FEATURES_HALF_SIZE_MASK: u32 = 0x00000004;
/// The lowest bit of it.
pub const FEATURES_HALF_SIZE_SHIFT: u32 = 2;
/// cycles from a product to its use
pub const FEATURES_LATENCY_MASK: u32 = 0x000000f0;
/// The lowest bit of it.
pub const FEATURES_LATENCY_SHIFT: u32 = 4;

/// State of the operation.
pub const STATUS: usize = 0x0c;
/// from the command to its response; `command` must not be written
pub const STATUS_BUSY_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const STATUS_BUSY_SHIFT: u32 = 0;
/// a key is held, and it is what it was when it was made
pub const STATUS_KEY_MASK: u32 = 0x00000004;
/// The lowest bit of it.
pub const STATUS_KEY_SHIFT: u32 = 2;
/// `verdict` is `good` or `done`
pub const STATUS_OK_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const STATUS_OK_SHIFT: u32 = 1;
/// the answer to the last command: the signature is good or bad; a key, a signature or a clear is
/// done. For a command to sign, `bad` says that the two readings of the message differed, `refused`
/// that no key is held, or that it is damaged. `none` before the answer; another code is none too
pub const STATUS_VERDICT_MASK: u32 = 0x00ff0000;
/// The lowest bit of it.
pub const STATUS_VERDICT_SHIFT: u32 = 16;
/// Value of the field.
pub const STATUS_VERDICT_BAD: u32 = 105;
/// Value of the field.
pub const STATUS_VERDICT_DONE: u32 = 60;
/// Value of the field.
pub const STATUS_VERDICT_GOOD: u32 = 150;
/// Value of the field.
pub const STATUS_VERDICT_NONE: u32 = 0;
/// Value of the field.
pub const STATUS_VERDICT_REFUSED: u32 = 15;

/// Writing it begins an operation, which then takes its input from the stream. `clear` takes none:
/// it wipes the core and both streams, and is answered when nothing is left.
pub const COMMAND: usize = 0x10;
/// what to do
pub const COMMAND_OP_MASK: u32 = 0x00000003;
/// The lowest bit of it.
pub const COMMAND_OP_SHIFT: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_CLEAR: u32 = 3;
/// Value of the field.
pub const COMMAND_OP_KEYGEN: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_SIGN: u32 = 1;
/// Value of the field.
pub const COMMAND_OP_VERIFY: u32 = 2;

/// An operation has ended; its output is in the stream.
pub const DONE: usize = 0x14;
/// set by the response
pub const DONE_RESPONSE_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const DONE_RESPONSE_SHIFT: u32 = 0;

/// Bits of `done` that raise the interrupt.
pub const INTERRUPT_ENABLE: usize = 0x18;
/// as in `done`
pub const INTERRUPT_ENABLE_RESPONSE_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const INTERRUPT_ENABLE_RESPONSE_SHIFT: u32 = 0;

/// Clock cycles from the last command to its response, or so far.
pub const CYCLES: usize = 0x1c;

/// Kept and not used: to try the bus with.
pub const SCRATCH: usize = 0x20;
