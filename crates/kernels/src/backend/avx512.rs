//! The backend of sixteen 32-bit or eight 64-bit lanes.

use super::sha_ni::ShaNi;
use super::word512::{U32x16, U64x8};
use crate::Kernels;
use crate::backend::entries::{backend, batches, engines, entries};
use crate::chain::{self, Masked, Rule, Span};
use crate::hash::{keccak, sha2, sha256, sha512};
use crate::kernel::{
    Keccak, Sha256, Sha512, State256, State512, State1600, ViaKeccak, ViaSha256, ViaSha512,
};
use crate::lanes;
use crate::lanes::batch;
use crate::lanes::chains::{self as fused, Engine};
use crate::lanes::vector::Vector;
use crate::lanes::word::Word;
use crate::message::Messages;

engines!([target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")], U32x16, U64x8);
batches!(target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq"), U32x16, U64x8);
backend!(Avx512, "avx512");

/// AVX-512 (F, BW, VL, DQ). Exists only where the CPU has it.
#[derive(Debug)]
pub struct Avx512 {
    /// Single states of SHA-256 go there.
    sha_ni: bool,
}

impl Avx512 {
    /// The backend, if this CPU has AVX-512 F, BW, VL and DQ.
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

    /// Measured beside SHA-NI: a vector of SHA-256 takes as long as ten single states in a batch;
    /// in chains and digests, which SHA-NI has to lay out too, as long as eight. Without SHA-NI,
    /// and for the others, as long as one state and a half in plain registers.
    fn worth(&self) -> [usize; 3] {
        [if self.sha_ni { 8 } else { 2 }, 2, 2]
    }

    /// As [`worth`](Self::worth), for bare batches.
    fn worth_in_batches(&self) -> [usize; 3] {
        [if self.sha_ni { 10 } else { 2 }, 2, 2]
    }

    fn narrow(&self) -> Kernels<'static> {
        let portable = Kernels::portable();
        match ShaNi::detect() {
            Some(sha256) if self.sha_ni => Kernels { sha256, ..portable },
            _ => portable,
        }
    }
}
