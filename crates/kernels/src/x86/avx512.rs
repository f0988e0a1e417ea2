//! The backend of sixteen 32-bit or eight 64-bit lanes.

use super::word512::{U32x16, U64x8};
use crate::batch;
use crate::chain::{self, Rule, Span};
use crate::engines::{backend, batches, engines};
use crate::fused::{self, Engine};
use crate::portable::Portable;
use crate::round::word::Word;
use crate::round::{keccak, sha2, sha256, sha512};
use crate::seam::{
    Keccak, Sha256, Sha512, State256, State512, State1600, ViaKeccak, ViaSha256, ViaSha512,
};
use crate::vector::Vector;

engines!([target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")], U32x16, U64x8);
batches!(target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq"), U32x16, U64x8);
backend!(Avx512, "avx512", narrow, WORTH);

/// States for which a full vector is cheaper than one after the other: SHA-256, SHA-512, Keccak.
const WORTH: [usize; 3] = [2, 2, 2];

fn narrow(_: &Avx512) -> &'static Portable {
    Portable::detect()
}

/// AVX-512 (F, BW, VL, DQ). Exists only where the CPU has it.
#[derive(Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The backend, if this CPU has AVX-512 F, BW, VL and DQ.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq");
        found.then_some(&Self(()))
    }
}
