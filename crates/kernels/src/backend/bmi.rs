//! Plain registers, with the instructions of BMI: rotations to another register, and-not.

use super::features::{Features, Job, Rounded, entries};
use super::portable::Portable;
use super::vectors::{BreakEven, Vectors};
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;

/// BMI1 and BMI2. Exists only where the CPU has them. The backends of vectors give it the states of
/// Keccak that fill no vector. It gains nothing for the other functions.
#[derive(Debug)]
pub(super) struct Bmi(());

impl Bmi {
    /// Returns the bundle of plain registers, with these instructions for Keccak where this CPU has
    /// them.
    pub(super) fn bundle() -> Kernels<'static> {
        let portable = Kernels::from_backend(Portable::detect());
        let found = std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2");
        if found { Kernels { keccak: &Self(()), ..portable } } else { portable }
    }
}

impl Words for Bmi {
    type U32 = u32;
    type U64 = u64;
}

entries!(Bmi, "bmi1,bmi2");

impl Vectors for Bmi {
    const NAME: &'static str = "bmi";

    /// Returns one: a state in one lane is full.
    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 1, batches: 1 }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Kernels::from_backend(Portable::detect())
    }
}
