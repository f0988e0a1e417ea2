//! The backend of two 64-bit lanes with AVX-512 instructions.

use super::bmi::Bmi;
use super::features::{Features, Filled, Job, Lanes, Rounded, entries};
use super::sha_ni::ShaNi;
use super::templates::Templates;
use super::vectors::{BreakEven, Vectors};
use super::word128::U64x2;
use crate::hash::template::Template;
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;
use crate::lanes::plan::Routine;

/// Backend with AVX-512 (F, VL) in 128-bit registers. A value exists only if the CPU has these
/// features. The backends of wider registers pass it one or two states of SHA-512. A three-input
/// bit function replaces several plain instructions, so even one state with an idle lane is faster
/// here than in plain registers. Keccak does not use it, because its 25 words take too long to lay
/// out.
#[derive(Debug)]
pub(super) struct Avx512Pair(());

impl Avx512Pair {
    /// Returns the bundle for single states. SHA-512 uses plain registers if the CPU lacks these
    /// features.
    pub(super) fn bundle() -> Kernels<'static> {
        let found = std::arch::is_x86_feature_detected!("ssse3")
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl");
        let singles = ShaNi::singles();
        match found {
            true => Kernels { sha512: &Self(()), ..singles },
            false => singles,
        }
    }
}

impl Words for Avx512Pair {
    type U32 = u32;
    type U64 = U64x2;
}

entries!(Avx512Pair, "ssse3,avx512f,avx512vl", templates);

impl Vectors for Avx512Pair {
    const NAME: &'static str = "avx512-pair";

    /// Returns 1: a single state pays off, even with an idle lane.
    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 1, batches: 1 }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Bmi::bundle()
    }
}
