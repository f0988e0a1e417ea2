//! The backend that every CPU has: one state at a time, in plain registers.

use super::features::{Features, Job, Rounded};
use super::plain::plain;
use crate::hash::{Rounds, Words};

/// The portable backend.
#[derive(Debug)]
pub struct Portable(());

impl Portable {
    /// Returns the backend, which is always there.
    #[must_use]
    pub const fn detect() -> &'static Self {
        &Self(())
    }
}

impl Words for Portable {
    type U32 = u32;
    type U64 = u64;
}

impl Features for Portable {
    #[inline(never)]
    unsafe fn enter<J: Job>(job: J) -> J::Done {
        job.run()
    }
}

impl Rounded for Portable {
    #[inline(never)]
    unsafe fn absorb<H: Rounds>(
        state: &mut H::Wide<H::Vector<Self>>,
        block: &H::Words<H::Vector<Self>>,
    ) {
        H::absorb_words(state, block);
    }
}

plain!(Portable, "portable");
