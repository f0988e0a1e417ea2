//! SHA-256 on the processor alone, or in a hardware unit.

use hasten_kernels::{Sha256, State256};

/// A block, aligned for units that read whole words.
#[derive(Clone, Debug)]
#[repr(align(8))]
pub struct Block(pub [u8; 64]);

/// The head of the messages of a chain, aligned for units that read whole words.
#[derive(Clone, Debug)]
#[repr(align(8))]
pub struct Head(pub [u8; 32]);

/// The chains of a one-time signature.
#[derive(Clone, Debug)]
pub struct Chains<'k> {
    /// SEED for XMSS. LMS has none.
    pub seed: Option<&'k [u8]>,
    /// For LMS: I ‖ u32str(q) ‖ u16str(i), before the byte with the number of the step. For XMSS:
    /// the address, with that number in bytes 24 to 27.
    pub head: Head,
    /// Offset of the chain number in `head`, two bytes.
    pub at: usize,
    /// The number after that of the last step, w - 1.
    pub last: u32,
    /// Size of a value in bytes.
    pub n: usize,
}

impl Chains<'_> {
    /// Writes the head of chain `chain`.
    pub fn fill(&self, chain: u32, head: &mut Head) {
        head.0 = self.head.0;
        head.0[self.at..self.at + 2].copy_from_slice(&(chain as u16).to_be_bytes());
    }
}

/// An implementation of SHA-256, for blocks and, if it supports them, for whole chains.
pub trait Unit: Copy {
    /// Size of a value in bytes and of a digit in bits, if the unit supports only chains of this
    /// kind.
    const VALUES: Option<(usize, u32)> = None;

    /// Absorbs a block.
    fn absorb(self, state: &mut State256, block: &Block);

    /// Absorbs `blocks` blocks of words, at least one. `words` yields the words, each with its
    /// lowest byte first. The lowest `shift` bits of `front`, 0 or 16, come before them. Returns
    /// the rest of the last word, and the remaining words.
    fn stream<I: Iterator<Item = u32>>(
        self,
        state: &mut State256,
        (mut front, shift): (u32, u32),
        blocks: usize,
        mut words: I,
    ) -> (u32, I) {
        let mut block = Block([0; 64]);
        for _ in 0..blocks {
            for (bytes, word) in block.0.as_chunks_mut().0.iter_mut().zip(&mut words) {
                *bytes = (front | word << shift).to_le_bytes();
                front = word >> 1 >> (31 - shift);
            }
            self.absorb(state, &block);
        }
        (front, words)
    }

    /// Advances all values to the ends of their chains. `from` returns the number of the first step
    /// of a chain. Returns false, with `values` unchanged, if the unit does not support chains of
    /// this kind.
    fn chains(self, _chains: &Chains<'_>, _from: impl Fn(u32) -> u32, _values: &mut [u8]) -> bool {
        false
    }
}

/// The processor alone: a loop over the rounds.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Unit for Alone {
    #[inline(always)]
    fn absorb(self, state: &mut State256, block: &Block) {
        Sha256::absorb_in_loop(state, &block.0);
    }
}
