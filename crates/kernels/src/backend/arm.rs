//! The backends of 64-bit ARM: NEON lanes, and the SHA-2 and SHA-3 instructions.

// Work in lanes is compiled for the CPU features of the function that it is inlined into (see
// `features`). The same holds for the instructions in it. The lint sees only the place where they
// are written. Older compilers do not have the lint.
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
