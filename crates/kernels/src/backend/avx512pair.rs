//! The backend of two 64-bit lanes, with the instructions of AVX-512.

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

/// AVX-512 (F, VL) in registers of 128 bits. Exists only where the CPU has it. The backends of
/// wider registers give it one or two states of SHA-512. One of its functions of three bits is
/// several plain instructions, so one state takes less time with a lane idle than by these. The 25
/// lanes of Keccak take too long to be laid out.
#[derive(Debug)]
pub(super) struct Avx512Pair(());

impl Avx512Pair {
    /// Returns the bundle for one state; that of plain registers without these features.
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

    /// Returns one: a lane may be idle.
    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 1, batches: 1 }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Bmi::bundle()
    }
}
