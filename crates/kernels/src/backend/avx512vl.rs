//! The backend of eight 32-bit or four 64-bit lanes with AVX-512 instructions.

use super::avx512pair::Avx512Pair;
use super::features::{Features, Filled, Job, Lanes, Rounded, entries};
use super::sha_ni::ShaNi;
use super::templates::Templates;
use super::vectors::{BreakEven, Vectors};
use super::word256::{Ternary, U32x8, U64x4};
use crate::hash::template::Template;
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;
use crate::lanes::plan::Routine;

/// Backend with AVX-512 (F, VL) in 256-bit registers. A value exists only if the CPU has these
/// features. [`Avx512`](super::Avx512) passes it batches that fill at most half a 512-bit register.
#[derive(Debug)]
pub struct Avx512Vl {
    /// True if single states of SHA-256 go to SHA-NI.
    sha_ni: bool,
}

impl Avx512Vl {
    /// Returns the backend, if this CPU has AVX2, AVX-512 F and VL.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl");
        match (found, ShaNi::detect()) {
            (false, _) => None,
            (true, None) => Some(&Self { sha_ni: false }),
            (true, Some(_)) => Some(&Self { sha_ni: true }),
        }
    }
}

impl Words for Avx512Vl {
    type U32 = U32x8<Ternary>;
    type U64 = U64x4<Ternary>;
}

entries!(Avx512Vl, "avx2,avx512f,avx512vl", templates);

impl Vectors for Avx512Vl {
    const NAME: &'static str = "avx512vl";

    fn break_even(&self, which: Which) -> BreakEven {
        match which {
            Which::Sha256 if self.sha_ni => BreakEven { chains: 6, batches: 8 },
            Which::Sha512 => BreakEven { chains: 3, batches: 3 },
            _ => BreakEven { chains: 2, batches: 2 },
        }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Avx512Pair::bundle()
    }
}
