//! Keccak by the SHA3 instructions of the CPU (EOR3, RAX1, XAR and BCAX), on two lanes.

use super::word::{U32x4, U64x2Sha3};
use crate::backend::features::{Features, Job, Rounded, entries};
use crate::backend::portable::Portable;
use crate::backend::vectors::{BreakEven, Vectors};
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;

/// Backend with the SHA3 instructions. A value exists only if the CPU has them.
#[derive(Debug)]
pub struct ArmSha3(());

impl ArmSha3 {
    /// Returns the backend, if this CPU has NEON and the SHA3 instructions.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_aarch64_feature_detected!("neon")
            && std::arch::is_aarch64_feature_detected!("sha3");
        found.then_some(&Self(()))
    }
}

impl Words for ArmSha3 {
    type U32 = U32x4;
    type U64 = U64x2Sha3;
}

entries!(ArmSha3, "neon,sha3");

impl Vectors for ArmSha3 {
    const NAME: &'static str = "arm-sha3";

    /// Returns 1 for Keccak: by instruction count, two lanes are cheaper than one state in plain
    /// registers. Returns 2 for the other functions.
    fn break_even(&self, which: Which) -> BreakEven {
        let least = if which == Which::Keccak { 1 } else { 2 };
        BreakEven { chains: least, batches: least }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Kernels::from_backend(Portable::detect())
    }
}
