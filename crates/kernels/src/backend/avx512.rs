//! The backend of sixteen 32-bit or eight 64-bit lanes. The rounds stand in `hash`, written once;
//! they are compiled here over the words of `word512`.

mod ports;

use super::avx512pair::Avx512Pair;
use super::avx512vl::Avx512Vl;
use super::features::{Features, Filled, Job, Lanes, Rounded, entries};
use super::sha_ni::ShaNi;
use super::templates::Templates;
use super::vectors::{BreakEven, Vectors};
use super::word512::{U32x16, U64x8};
use crate::hash::template::Template;
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;
use crate::lanes::plan::Routine;

/// AVX-512 (F, BW, VL, DQ). Exists only where the CPU has it.
#[derive(Debug)]
pub struct Avx512 {
    /// True if single states of SHA-256 go to SHA-NI.
    sha_ni: bool,
}

impl Avx512 {
    /// Returns the backend, if this CPU has AVX-512 F, BW, VL and DQ.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq");
        match (found, ShaNi::detect()) {
            (false, _) => None,
            (true, None) => Some(&Self { sha_ni: false }),
            (true, Some(_)) => Some(&Self { sha_ni: true }),
        }
    }
}

impl Words for Avx512 {
    type U32 = U32x16;
    type U64 = U64x8;
}

entries!(Avx512, "avx512f,avx512bw,avx512vl,avx512dq", templates);

impl Vectors for Avx512 {
    const NAME: &'static str = "avx512";

    /// Returns what was measured. Beside SHA-NI, a vector of SHA-256 takes as long as ten single
    /// states in a batch. In chains and digests, which SHA-NI has to lay out too, it takes as long
    /// as eight. Without SHA-NI, and for the other functions, half a vector takes half the time in
    /// registers of 256 bits.
    fn break_even(&self, which: Which) -> BreakEven {
        match which {
            Which::Sha256 if self.sha_ni => BreakEven { chains: 8, batches: 10 },
            Which::Sha256 => BreakEven { chains: 9, batches: 9 },
            _ => BreakEven { chains: 5, batches: 5 },
        }
    }

    /// Returns what one state is for, or half a register; one look at the CPU is enough then.
    fn narrow(&self, states: usize) -> Kernels<'static> {
        let half = Avx512Vl::detect().filter(|_| states > 1);
        let half = half.map_or_else(Avx512Pair::bundle, Kernels::from_backend);
        ShaNi::detect().map_or(half, |sha256| Kernels { sha256, ..half })
    }
}
