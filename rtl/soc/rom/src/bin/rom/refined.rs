//! Hashing by the refined stage of the unit: blocks and chains out of the ROM's memory.

use crate::unit::{LMS_N24, TO_STATE, XMSS_N24, are_words, chain, hash, set, wait, way};
use core::ptr::null_mut;
use hasten_hbs::sequential::{Block, Chains, Head, Unit};
use hasten_kernels::State256;

/// The unit.
#[derive(Clone, Copy)]
pub struct Refined(());

/// Returns what hashes.
pub const fn hasher() -> Refined {
    Refined(()) // this ROM is for the machine that has it
}

/// Bytes of a value.
const N: usize = 24;

impl Unit for Refined {
    const VALUES: Option<(usize, u32)> = Some((N, 4));

    #[inline(never)]
    fn absorb(self, state: &mut State256, block: &Block) {
        begin(state, block);
        wait(0);
    }

    /// Has the unit take a block while the next one comes. It gets its order when half of that is
    /// there: the flash has room for a word, and would wait if the end of a block and an order came
    /// without a pause.
    #[inline(never)]
    fn stream<I: Iterator<Item = u32>>(
        self,
        state: &mut State256,
        (mut front, shift): (u32, u32),
        blocks: usize,
        mut words: I,
    ) -> (u32, I) {
        let mut ring = [const { Block([0; 64]) }; 2];
        for i in 0..blocks {
            macro_rules! take {
                ($($at:literal),*) => {
                    $({
                        let word = words.next().unwrap_or_default();
                        let bytes = &mut ring[i % 2].0[4 * $at..][..4];
                        bytes.copy_from_slice(&(front | word << shift).to_le_bytes());
                        front = word >> 1 >> (31 - shift);
                    })*
                };
            }
            take!(0, 1, 2, 3, 4, 5, 6, 7);
            if i > 0 {
                wait(0);
                begin(state, &ring[(i - 1) % 2]);
            }
            take!(8, 9, 10, 11, 12, 13, 14, 15);
        }
        wait(0);
        begin(state, &ring[(blocks - 1) % 2]);
        wait(0);
        (front, words)
    }

    /// Has the chains of both sets of this ROM, and reads the next one while it takes steps.
    fn chains(self, chains: &Chains<'_>, from: impl Fn(u32) -> u32, values: &mut [u8]) -> bool {
        assert!(are_words(&[values.as_ptr()]));
        let (mut seed, mut mode) = ([0; 8], LMS_N24);
        if let Some(bytes) = chains.seed {
            mode = XMSS_N24;
            for (to, from) in seed.iter_mut().zip(bytes.as_chunks().0) {
                *to = u32::from_be_bytes(*from);
            }
        }
        set(mode, &seed);
        let (mut ring, mut jobs) = ([const { Head([0; 32]) }; 4], 0);
        for (i, value) in (0..).zip(values.as_chunks_mut::<N>().0) {
            let from = from(i);
            if from < chains.last {
                let head = &mut ring[jobs % 4];
                chains.fill(i, head);
                let way = way(from, chains.last - from, 0);
                // SAFETY: values and heads are words, and steps less than 256. The values stay
                // until the jobs were waited for. A head of the ring is written again when the job
                // after the next one was taken, and so this one's has been read.
                unsafe { chain::<0>(way, value.as_mut_ptr(), head.0.as_ptr(), null_mut()) };
                jobs += 1;
            }
        }
        wait(0);
        true
    }
}

/// Begins to absorb a block.
fn begin(state: &mut State256, block: &Block) {
    let state = state.as_mut_ptr().cast::<u8>();
    // SAFETY: both callers leave state and block alone until they have waited.
    unsafe { hash::<TO_STATE>(state, block.0.as_ptr(), state) };
}
