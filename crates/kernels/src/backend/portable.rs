//! The portable backend, for every CPU: one state at a time, in plain registers.

use super::features::{Features, FillRows, Job, Lanes, Rounded, chains};
use super::templates::Templates;
use crate::hash::{HashFunction, Rounds, Words};
use crate::kernel::Kernel;
use crate::kernel::chain::{self, Masked, Rule, Span};
use crate::lanes::chains::{Engine, Work};

/// Whether the default bodies of [`Kernel`] are used, which are slower but take less code.
const SMALL: bool = cfg!(feature = "small");

/// The portable backend.
#[derive(Debug)]
pub struct Portable(());

impl Portable {
    /// Returns the backend. Every CPU has it.
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

/// With one lane, the state of all lanes is the single state itself.
impl<H> Kernel<H> for Portable
where
    H: Templates<Vector<Self> = <H as Rounds>::Lane>,
    H: HashFunction<State = <H as Rounds>::Wide<<H as Rounds>::Lane>>,
{
    fn name(&self) -> &'static str {
        "portable"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        assert_eq!(states.len(), blocks.len());
        for (state, block) in states.iter_mut().zip(blocks) {
            let words = H::transpose_blocks(core::slice::from_ref(block));
            Lanes::<Self, H>::absorb(state, words.as_ref());
        }
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        let work = Work { rule, spans, break_even: 1, narrow: &|_, _, _| () };
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { chains::<Self, Lanes<Self, H>>(&work, values) } {
            chain::advance(self, rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        let job = FillRows::<Lanes<Self, H>> { rule, spans, rows: &mut *rows };
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { Self::enter(job) } {
            chain::fill_rows(self, rule, spans, rows);
        }
    }
}
