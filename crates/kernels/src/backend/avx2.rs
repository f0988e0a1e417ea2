//! The backend of eight 32-bit or four 64-bit lanes.

use super::features::{Features, Filled, Job, Lanes, Rounded};
use super::templates::Templates;
use super::vectors::{BreakEven, Vectors};
use super::word256::{U32x8, U64x4};
use crate::Kernels;
use crate::hash::template::Template;
use crate::hash::{Rounds, Which, Words};
use crate::lanes::plan::Routine;

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

    #[target_feature(enable = "avx2")]
    #[inline(never)]
    unsafe fn begin<H: Rounds>(
        to: &mut H::Wide<H::Vector<Self>>,
        from: &H::Wide<H::Vector<Self>>,
        block: &H::Words<H::Vector<Self>>,
    ) {
        let mut state = *from;
        H::absorb_words(&mut state, block);
        *to = state;
    }

    fn routine<H: Templates>(template: Template) -> Option<Routine<Lanes<Self, H>>> {
        H::routine::<Self>(template)
    }
}

impl Filled for Avx2 {
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    unsafe fn prepare<H: Rounds, const HOLES: u32, const FRESH: bool>(
        to: &mut H::Prepared<H::Vector<Self>>,
        start: &H::Wide<H::Vector<Self>>,
        block: &[H::Vector<Self>],
    ) {
        H::prepare::<_, HOLES, FRESH>(to, start, H::words(block));
    }

    #[target_feature(enable = "avx2")]
    #[inline(never)]
    unsafe fn fill_in<H: Rounds, const HOLES: u32, const FRESH: bool>(
        state: &mut H::Wide<H::Vector<Self>>,
        from: &H::Prepared<H::Vector<Self>>,
        block: &[H::Vector<Self>],
    ) {
        H::fill_in::<_, HOLES, FRESH>(state, from, H::words(block));
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
