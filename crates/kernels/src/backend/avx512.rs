//! The AVX-512 backend: sixteen 32-bit or eight 64-bit lanes. The rounds are written once, in
//! `hash`; this module compiles them for the words of `word512`.

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

/// The AVX-512 backend (F, BW, VL, DQ). A value exists only if the CPU has these features.
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

    /// Returns the measured break-even points. A vector of SHA-256 takes as long as ten single
    /// states of SHA-NI in a batch. It takes as long as eight in chains and digests, where SHA-NI
    /// also has to lay out blocks. Without SHA-NI, and for the other functions, half a vector takes
    /// half the time in 256-bit registers.
    fn break_even(&self, which: Which) -> BreakEven {
        match which {
            Which::Sha256 if self.sha_ni => BreakEven { chains: 8, batches: 10 },
            Which::Sha256 => BreakEven { chains: 9, batches: 9 },
            _ => BreakEven { chains: 5, batches: 5 },
        }
    }

    /// Returns the bundle for one state, or for up to half a register of states. SHA-256 goes to
    /// SHA-NI if the CPU has it.
    fn narrow(&self, states: usize) -> Kernels<'static> {
        let half = Avx512Vl::detect().filter(|_| states > 1);
        let half = half.map_or_else(Avx512Pair::bundle, Kernels::from_backend);
        ShaNi::detect().map_or(half, |sha256| Kernels { sha256, ..half })
    }
}
