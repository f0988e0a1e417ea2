//! The AVX2 backend: eight 32-bit or four 64-bit lanes.

use super::bmi::Bmi;
use super::features::{Features, Filled, Job, Lanes, Rounded, entries};
use super::templates::Templates;
use super::vectors::{BreakEven, Vectors};
use super::word256::{TwoInput, U32x8, U64x4};
use crate::hash::template::Template;
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;
use crate::lanes::plan::Routine;

/// The AVX2 backend. A value exists only if the CPU has AVX2.
#[derive(Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the backend, if this CPU has AVX2.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(&Self(()))
    }
}

impl Words for Avx2 {
    type U32 = U32x8<TwoInput>;
    type U64 = U64x4<TwoInput>;
}

entries!(Avx2, "avx2", templates);

impl Vectors for Avx2 {
    const NAME: &'static str = "avx2";

    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 2, batches: 2 }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Bmi::bundle()
    }
}
