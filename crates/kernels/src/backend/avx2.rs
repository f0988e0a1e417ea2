//! The backend of eight 32-bit or four 64-bit lanes.

use super::word256::{U32x8, U64x4};
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

engines!([target_feature(enable = "avx2")], U32x8, U64x4);
batches!(target_feature(enable = "avx2"), U32x8, U64x4);
backend!(Avx2, "avx2");

/// AVX2. Exists only where the CPU has it.
#[derive(Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The backend, if this CPU has AVX2.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(&Self(()))
    }

    fn worth(&self) -> [usize; 3] {
        [2, 2, 2]
    }

    fn worth_in_batches(&self) -> [usize; 3] {
        self.worth()
    }

    fn narrow(&self) -> Kernels<'static> {
        Kernels::portable()
    }
}
