//! The backend that every CPU has: one state at a time, in plain registers.

use crate::round::{keccak, sha2, sha256, sha512};
use crate::seam::{Keccak, Sha256, Sha512, State256, State512, State1600};

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
            one256(state, block);
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
            one512(state, block);
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
        states.iter_mut().for_each(one1600);
    }
}

/// One compression of SHA-256.
pub(crate) fn one256(state: &mut State256, block: &[u8; 64]) {
    let words = core::array::from_fn(|i| u32::from_be_bytes(block.as_chunks().0[i]));
    sha2::compress::<sha256::Sha256, u32>(state, words);
}

/// One compression of SHA-512.
pub(crate) fn one512(state: &mut State512, block: &[u8; 128]) {
    let words = core::array::from_fn(|i| u64::from_be_bytes(block.as_chunks().0[i]));
    sha2::compress::<sha512::Sha512, u64>(state, words);
}

/// One permutation.
pub(crate) fn one1600(state: &mut State1600) {
    keccak::permute(state);
}
