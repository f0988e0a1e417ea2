//! The backends of 64-bit ARM: NEON lanes, and the instructions for SHA-2 and SHA-3.

// Work in lanes is compiled for its features where it is inlined (see `features`), and so are the
// instructions in it. The lint sees only the place where they are written. Older compilers do not
// have it.
#![allow(unknown_lints, inline_always_mismatching_target_features)]

mod instructions;
mod neon;
mod sha2;
mod sha3;
mod sha512;
mod word;

pub use neon::Neon;
pub use sha2::ArmSha2;
pub use sha3::ArmSha3;
pub use sha512::ArmSha512;
