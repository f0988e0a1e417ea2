//! The backend that every CPU has: one state at a time, in plain registers.

use crate::backend::entries::{engines, entries};
use crate::chain::{self, Masked, Rule, Span};
use crate::hash::{keccak, sha2, sha256, sha512};
use crate::kernel::{
    Keccak, Sha256, Sha512, State256, State512, State1600, ViaKeccak, ViaSha256, ViaSha512,
};
use crate::lanes;
use crate::lanes::chains::{self as fused, Engine};
use crate::lanes::vector::Vector;
use crate::lanes::word::Word;

engines!([], u32, u64);

/// Whether the plain bodies of the seam serve, which are slower and take less code.
const SMALL: bool = cfg!(feature = "small");

/// The portable backend.
#[derive(Debug)]
pub struct Portable(());

impl Portable {
    /// Always there.
    #[must_use]
    pub const fn detect() -> &'static Self {
        &Self(())
    }
}

impl Sha256 for Portable {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
        assert_eq!(states.len(), blocks.len());
        for (state, block) in states.iter_mut().zip(blocks) {
            let words: [u32; 16] =
                core::array::from_fn(|i| u32::from_be_bytes(block.as_chunks().0[i]));
            Lanes256::absorb(state, &words);
        }
    }

    fn chains(&self, rule: &Rule<'_, State256>, spans: &[Span], values: &mut [u8]) {
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { chains::<Lanes256>(rule, spans, values, 1, &|_, _, _| ()) } {
            chain::advance(ViaSha256(self), rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, State256>, spans: &[Span], rows: &mut [u8]) {
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { fill_rows::<Lanes256>(rule, spans, rows) } {
            chain::fill_rows(ViaSha256(self), rule, spans, rows);
        }
    }
}

impl Sha512 for Portable {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn compress(&self, states: &mut [State512], blocks: &[[u8; 128]]) {
        assert_eq!(states.len(), blocks.len());
        for (state, block) in states.iter_mut().zip(blocks) {
            let words: [u64; 16] =
                core::array::from_fn(|i| u64::from_be_bytes(block.as_chunks().0[i]));
            Lanes512::absorb(state, &words);
        }
    }

    fn chains(&self, rule: &Rule<'_, State512>, spans: &[Span], values: &mut [u8]) {
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { chains::<Lanes512>(rule, spans, values, 1, &|_, _, _| ()) } {
            chain::advance(ViaSha512(self), rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, State512>, spans: &[Span], rows: &mut [u8]) {
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { fill_rows::<Lanes512>(rule, spans, rows) } {
            chain::fill_rows(ViaSha512(self), rule, spans, rows);
        }
    }
}

impl Keccak for Portable {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn permute(&self, states: &mut [State1600]) {
        states.iter_mut().for_each(|state| Lanes1600::absorb(state, &[]));
    }

    fn chains(&self, rule: &Rule<'_, State1600>, spans: &[Span], values: &mut [u8]) {
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { chains::<Lanes1600>(rule, spans, values, 1, &|_, _, _| ()) } {
            chain::advance(ViaKeccak(self), rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, State1600>, spans: &[Span], rows: &mut [u8]) {
        // SAFETY: portable code needs no feature.
        if SMALL || !unsafe { fill_rows::<Lanes1600>(rule, spans, rows) } {
            chain::fill_rows(ViaKeccak(self), rule, spans, rows);
        }
    }
}
