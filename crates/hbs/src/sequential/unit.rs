//! SHA-256 by the processor alone, or by a unit beside it.

use hasten_kernels::{Sha256, State256};

/// A block, where a unit reads whole words.
#[derive(Clone, Debug)]
#[repr(align(8))]
pub struct Block(pub [u8; 64]);

/// The front of a chain's messages, where a unit reads whole words.
#[derive(Clone, Debug)]
#[repr(align(8))]
pub struct Head(pub [u8; 32]);

/// The chains of a one-time signature.
#[derive(Clone, Debug)]
pub struct Chains<'k> {
    /// XMSS: SEED. LMS has none.
    pub seed: Option<&'k [u8]>,
    /// LMS: I ‖ u32str(q) ‖ u16str(i), before the byte with the step's number. XMSS: the address,
    /// with that number in bytes 24 to 28.
    pub head: Head,
    /// Where the chain's number is in that, two bytes.
    pub at: usize,
    /// The number behind the last step.
    pub last: u32,
    /// Bytes of a value.
    pub n: usize,
}

impl Chains<'_> {
    /// Writes the head of a chain.
    pub fn fill(&self, chain: u32, head: &mut Head) {
        head.0 = self.head.0;
        head.0[self.at..self.at + 2].copy_from_slice(&(chain as u16).to_be_bytes());
    }
}

/// A way to compute SHA-256: block by block, and for whole chains where it has them.
pub trait Unit: Copy {
    /// The bytes of a value and the bits of a digit, of a unit that has chains of this kind alone.
    const VALUES: Option<(usize, u32)> = None;

    /// Absorbs a block.
    fn absorb(self, state: &mut State256, block: &Block);

    /// Absorbs so many blocks of words, at least one. `words` gives them, each with its lowest byte
    /// first. The lowest `shift` bits of `front`, 0 or 16, come before them. It returns the rest of
    /// the last word, and the words.
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

    /// Advances all values to the ends of their chains; `from` gives the number of a chain's first
    /// step. It returns false, and leaves the values, if it has no chains of this kind.
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
