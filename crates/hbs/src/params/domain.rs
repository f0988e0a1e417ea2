//! Type codes that separate the hashes of LMS: the field D of RFC 8554, section 7.1 (Security
//! String). `rtl/xmss/xmss_hash_pkg.sv` has the same numbers, and a test of `hasten-rtlsim`
//! compares them.

/// The one-time public key.
pub const D_PBLC: u16 = 0x8080;
/// The message.
pub const D_MESG: u16 = 0x8181;
/// A leaf.
pub const D_LEAF: u16 = 0x8282;
/// A node above the leaves.
pub const D_INTR: u16 = 0x8383;

/// The value in place of a chain number from which the randomizer C is derived.
pub const RANDOMIZER: u16 = 0xfffd;
