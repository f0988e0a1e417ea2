//! Registers of the XMSS and LMS engine behind AXI. Written by `cargo xtask hw registers` from
//! registers.toml.

/// Bytes of the block.
pub const SIZE: usize = 0x40;

/// The letters XMSS, first letter in the highest byte.
pub const ID: usize = 0x00;
/// XMSS
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
/// chain cores
pub const FEATURES_CORES_MASK: u32 = 0x000000ff;
/// The lowest bit of it.
pub const FEATURES_CORES_SHIFT: u32 = 0;
/// rounds of a chain core in a cycle
pub const FEATURES_UNROLL_MASK: u32 = 0x00000f00;
/// The lowest bit of it.
pub const FEATURES_UNROLL_SHIFT: u32 = 8;
/// SHAKE on one Keccak core, in place of SHA-256
pub const FEATURES_SHAKE_MASK: u32 = 0x00001000;
/// The lowest bit of it.
pub const FEATURES_SHAKE_SHIFT: u32 = 12;
/// LMS with w = 1 and 2 too: numbers of values have nine bits, and that of the randomizer is 511,
/// not 127
pub const FEATURES_NARROW_MASK: u32 = 0x00002000;
/// The lowest bit of it.
pub const FEATURES_NARROW_SHIFT: u32 = 13;

/// State of the commands. One may wait behind the one that runs.
pub const STATUS: usize = 0x0c;
/// a command runs or waits
pub const STATUS_BUSY_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const STATUS_BUSY_SHIFT: u32 = 0;
/// one waits: another one written now would be lost
pub const STATUS_FULL_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const STATUS_FULL_SHIFT: u32 = 1;
/// the last answer: done or good, a signature that is bad, a command or stream that is wrong
pub const STATUS_RESULT_MASK: u32 = 0x00000030;
/// The lowest bit of it.
pub const STATUS_RESULT_SHIFT: u32 = 4;
/// Value of the field.
pub const STATUS_RESULT_BAD: u32 = 1;
/// Value of the field.
pub const STATUS_RESULT_OK: u32 = 0;
/// Value of the field.
pub const STATUS_RESULT_REFUSED: u32 = 2;
/// the answer before it
pub const STATUS_EARLIER_MASK: u32 = 0x000000c0;
/// The lowest bit of it.
pub const STATUS_EARLIER_SHIFT: u32 = 6;
/// answers since reset, modulo 256: `result` and `verdict` are of a command where it has grown by
/// one since, and `busy` is low
pub const STATUS_ANSWERS_MASK: u32 = 0x0000ff00;
/// The lowest bit of it.
pub const STATUS_ANSWERS_SHIFT: u32 = 8;
/// on the signature of the last verification, if no command was written after it; another code is
/// no answer
pub const STATUS_VERDICT_MASK: u32 = 0x00ff0000;
/// The lowest bit of it.
pub const STATUS_VERDICT_SHIFT: u32 = 16;
/// Value of the field.
pub const STATUS_VERDICT_BAD: u32 = 105;
/// Value of the field.
pub const STATUS_VERDICT_GOOD: u32 = 150;
/// Value of the field.
pub const STATUS_VERDICT_NONE: u32 = 0;
/// Value of the field.
pub const STATUS_VERDICT_REFUSED: u32 = 15;

/// Writing it gives a command, with `index`, `length` and `length_high` as they are; its words
/// follow in the stream.
pub const COMMAND: usize = 0x10;
/// what to do
pub const COMMAND_OP_MASK: u32 = 0x0000000f;
/// The lowest bit of it.
pub const COMMAND_OP_SHIFT: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_CLEAR: u32 = 6;
/// Value of the field.
pub const COMMAND_OP_LEAF: u32 = 5;
/// Value of the field.
pub const COMMAND_OP_LOAD_KEY: u32 = 0;
/// Value of the field.
pub const COMMAND_OP_LOAD_PUBLIC: u32 = 1;
/// Value of the field.
pub const COMMAND_OP_NODE: u32 = 7;
/// Value of the field.
pub const COMMAND_OP_PREPARE: u32 = 2;
/// Value of the field.
pub const COMMAND_OP_SIGN: u32 = 3;
/// Value of the field.
pub const COMMAND_OP_VERIFY: u32 = 4;
/// prepare: for a verification
pub const COMMAND_CHECK_MASK: u32 = 0x00000010;
/// The lowest bit of it.
pub const COMMAND_CHECK_SHIFT: u32 = 4;
/// prepare, leaf and node: the next command ends it, and it is answered as refused
pub const COMMAND_IDLE_MASK: u32 = 0x00000020;
/// The lowest bit of it.
pub const COMMAND_IDLE_SHIFT: u32 = 5;
/// prepare: the level chain-table, every value of the chains; not with `check`, nor for LMS with
/// another w than 4
pub const COMMAND_CHAIN_TABLE_MASK: u32 = 0x00000040;
/// The lowest bit of it.
pub const COMMAND_CHAIN_TABLE_SHIFT: u32 = 6;
/// load: the hash functions; with `features.shake` those of SHAKE and no others
pub const COMMAND_MODE_MASK: u32 = 0x00000300;
/// The lowest bit of it.
pub const COMMAND_MODE_SHIFT: u32 = 8;
/// Value of the field.
pub const COMMAND_MODE_LMS_N24: u32 = 3;
/// Value of the field.
pub const COMMAND_MODE_LMS_N32: u32 = 2;
/// Value of the field.
pub const COMMAND_MODE_SHAKE256_N24: u32 = 1;
/// Value of the field.
pub const COMMAND_MODE_SHAKE256_N32: u32 = 2;
/// Value of the field.
pub const COMMAND_MODE_SHAKE_N32: u32 = 0;
/// Value of the field.
pub const COMMAND_MODE_XMSS_N24: u32 = 1;
/// Value of the field.
pub const COMMAND_MODE_XMSS_N32: u32 = 0;
/// load: LMS with w = 8, with `narrow` w = 1
pub const COMMAND_OCTETS_MASK: u32 = 0x00000400;
/// The lowest bit of it.
pub const COMMAND_OCTETS_SHIFT: u32 = 10;
/// load: LMS with w = 2, with `octets` w = 1; refused without `features.narrow`
pub const COMMAND_NARROW_MASK: u32 = 0x00000800;
/// The lowest bit of it.
pub const COMMAND_NARROW_SHIFT: u32 = 11;
/// load: of the tree, 1 to 20; node: of the node
pub const COMMAND_HEIGHT_MASK: u32 = 0x001f0000;
/// The lowest bit of it.
pub const COMMAND_HEIGHT_SHIFT: u32 = 16;

/// Number of the one-time key, or of the node among those of its height; load_key: the first one
/// that may sign.
pub const INDEX: usize = 0x14;

/// Length of the message of a signature or verification, its lower bits.
pub const LENGTH: usize = 0x18;
/// without what fills the last word
pub const LENGTH_BYTES_MASK: u32 = 0xffffffff;
/// The lowest bit of it.
pub const LENGTH_BYTES_SHIFT: u32 = 0;

/// Events since they were cleared.
pub const DONE: usize = 0x1c;
/// a command was answered
pub const DONE_ANSWER_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const DONE_ANSWER_SHIFT: u32 = 0;
/// a command was written while `full`, and forgotten
pub const DONE_LOST_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const DONE_LOST_SHIFT: u32 = 1;

/// Bits of `done` that raise the interrupt.
pub const INTERRUPT_ENABLE: usize = 0x20;
/// as in `done`
pub const INTERRUPT_ENABLE_ANSWER_MASK: u32 = 0x00000001;
/// The lowest bit of it.
pub const INTERRUPT_ENABLE_ANSWER_SHIFT: u32 = 0;
/// as in `done`
pub const INTERRUPT_ENABLE_LOST_MASK: u32 = 0x00000002;
/// The lowest bit of it.
pub const INTERRUPT_ENABLE_LOST_SHIFT: u32 = 1;

/// Clock cycles of the last answered command, from where the engine took it.
pub const CYCLES: usize = 0x24;

/// The length's bits 59 to 32.
pub const LENGTH_HIGH: usize = 0x28;
/// 0 after a reset
pub const LENGTH_HIGH_BYTES_MASK: u32 = 0x0fffffff;
/// The lowest bit of it.
pub const LENGTH_HIGH_BYTES_SHIFT: u32 = 0;
