//! Plain registers with the BMI instructions: rotations that keep their source, and and-not.

use super::features::{Features, Job, Rounded, entries};
use super::portable::Portable;
use super::vectors::{BreakEven, Vectors};
use crate::hash::{Rounds, Which, Words};
use crate::kernel::Kernels;

/// Backend with BMI1 and BMI2. A value exists only if the CPU has them. The vector backends pass it
/// Keccak states that fill no vector. The other functions gain nothing from BMI.
#[derive(Debug)]
pub(super) struct Bmi(());

impl Bmi {
    /// Returns the bundle of plain registers. Keccak uses BMI if this CPU has it.
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

    /// Returns 1: a single state fills the only lane.
    fn break_even(&self, _which: Which) -> BreakEven {
        BreakEven { chains: 1, batches: 1 }
    }

    fn narrow(&self, _states: usize) -> Kernels<'static> {
        Kernels::from_backend(Portable::detect())
    }
}
