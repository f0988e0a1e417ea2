//! Hashing by the generic stage of the unit: the processor moves every word.

use crate::words::{
    AS_BYTES, AS_WORDS, DIGEST, FIRST_HALF, GIVEN, INITIAL, SECOND_HALF, STATE, Words, get, go,
    load, put, put_pair,
};
use core::ops::Range;
use hasten_hbs::sequential::{Block, Chains, Head, Unit};
use hasten_kernels::State256;

/// The unit.
#[derive(Clone, Copy)]
pub struct Generic(());

/// Returns what hashes.
pub const fn hasher() -> Generic {
    Generic(()) // this ROM is for the machine that has it
}

/// Bytes of a value.
const N: usize = 24;

impl Unit for Generic {
    const VALUES: Option<(usize, u32)> = Some((N, 4));

    #[inline(never)]
    fn absorb(self, state: &mut State256, block: &Block) {
        put::<STATE, AS_WORDS>(state);
        put_block(block);
        go::<GIVEN>();
        *state = get::<AS_WORDS>();
    }

    /// Leaves the state in the unit from block to block.
    #[inline(never)]
    fn stream<I: Iterator<Item = u32>>(
        self,
        state: &mut State256,
        (mut front, shift): (u32, u32),
        blocks: usize,
        mut words: I,
    ) -> (u32, I) {
        let mut block = Block([0; 64]);
        put::<STATE, AS_WORDS>(state);
        for i in 0..blocks {
            for (bytes, word) in block.0.as_chunks_mut().0.iter_mut().zip(&mut words) {
                *bytes = (front | word << shift).to_le_bytes();
                front = word >> 1 >> (31 - shift);
            }
            put_block(&block);
            match i {
                0 => go::<GIVEN>(),
                _ => go::<DIGEST>(),
            }
        }
        *state = get::<AS_WORDS>();
        (front, words)
    }

    /// Has the chains of LMS.
    #[inline(always)]
    fn chains(self, chains: &Chains<'_>, from: impl Fn(u32) -> u32, values: &mut [u8]) -> bool {
        if chains.seed.is_some() {
            return false;
        }
        let mut head = Head([0; 32]);
        for (i, value) in (0..).zip(values.as_chunks_mut().0) {
            chains.fill(i, &mut head);
            advance(&head, from(i)..chains.last, value);
        }
        true
    }
}

/// Advances a value of LMS: a block is 22 bytes of the head, the step, the value, and padding of 47
/// bytes.
fn advance(head: &Head, steps: Range<u32>, value: &mut [u8; N]) {
    let word = |bytes: &[u8], i: usize| u32::from_be_bytes(bytes.as_chunks().0[i]);
    let mut x: Words = core::array::from_fn(|i| if i < 6 { word(value, i) } else { 0 });
    let begin = load(&head.0);
    put_pair::<{ FIRST_HALF }, AS_BYTES>(begin[0], begin[1]);
    put_pair::<{ FIRST_HALF + 1 }, AS_BYTES>(begin[2], begin[3]);
    put::<SECOND_HALF, AS_WORDS>(&[0, 0, 0, 0, 0, 0, 0, 8 * 47]);
    let (last, tag) = (word(&head.0, 4), begin[5].swap_bytes() & 0xffff_0000);
    for step in steps {
        put_pair::<{ FIRST_HALF + 2 }, AS_WORDS>(last, tag | step << 8 | x[0] >> 24);
        put_pair::<{ FIRST_HALF + 3 }, AS_WORDS>(x[0] << 8 | x[1] >> 24, x[1] << 8 | x[2] >> 24);
        put_pair::<{ SECOND_HALF }, AS_WORDS>(x[2] << 8 | x[3] >> 24, x[3] << 8 | x[4] >> 24);
        put_pair::<{ SECOND_HALF + 1 }, AS_WORDS>(x[4] << 8 | x[5] >> 24, x[5] << 8 | 0x80);
        go::<INITIAL>();
        x = get::<AS_WORDS>();
    }
    for (bytes, word) in value.as_chunks_mut().0.iter_mut().zip(x) {
        *bytes = word.to_be_bytes();
    }
}

/// Puts a block.
#[inline(never)]
fn put_block(block: &Block) {
    put::<FIRST_HALF, AS_BYTES>(&load(&block.0[..32]));
    put::<SECOND_HALF, AS_BYTES>(&load(&block.0[32..]));
}
