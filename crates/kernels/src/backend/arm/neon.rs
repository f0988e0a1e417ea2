//! The NEON backend: four 32-bit or two 64-bit lanes.

use super::word::{U32x4, U64x2};
use crate::backend::features::{Features, Job, Rounded, entries};
use crate::backend::portable::Portable;
use crate::backend::vectors::{BreakEven, Vectors};
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;

/// The NEON backend. A value exists only if the CPU has NEON.
#[derive(Debug)]
pub struct Neon(());

impl Neon {
    /// Returns the backend, if this CPU has NEON.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(&Self(()))
    }
}

impl Words for Neon {
    type U32 = U32x4;
    type U64 = U64x2;
}

entries!(Neon, "neon");

impl Vectors for Neon {
    const NAME: &'static str = "neon";

    /// Returns 2: by instruction count, a full vector is cheaper than two single states.
    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 2, batches: 2 }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Kernels::from_backend(Portable::detect())
    }
}
