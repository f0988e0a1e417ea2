//! The backend of eight 32-bit or four 64-bit lanes.

use super::features::{Features, Job, Rounded};
use super::vectors::{BreakEven, Vectors};
use super::word256::{U32x8, U64x4};
use crate::Kernels;
use crate::hash::{Rounds, Which, Words};

/// AVX2. Exists only where the CPU has it.
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
    type U32 = U32x8;
    type U64 = U64x4;
}

impl Features for Avx2 {
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    unsafe fn enter<J: Job>(job: J) -> J::Done {
        job.run()
    }
}

impl Rounded for Avx2 {
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    unsafe fn absorb<H: Rounds>(
        state: &mut H::Wide<H::Vector<Self>>,
        block: &H::Words<H::Vector<Self>>,
    ) {
        H::absorb_words(state, block);
    }
}

impl Vectors for Avx2 {
    const NAME: &'static str = "avx2";

    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 2, batches: 2 }
    }

    fn narrow(&self) -> Kernels<'static> {
        Kernels::portable()
    }
}
