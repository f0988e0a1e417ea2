//! The blocks that a step hashes, as words of all lanes.

use super::chains::{Engine, LaneOf};
use super::items::{Starts, read_words};
use super::plan::Plan;
use crate::hash::HashFunction;
use crate::hash::template::{ROW, Template};
use crate::kernel::chain::HEAD;
use crate::kernel::message::{self, wipe};
use crate::kernel::midstate::Midstate;
use crate::word::vector::{MAX_LANES, Vector, copy};
use crate::word::{Lane, Word};
use core::mem::MaybeUninit;
use core::ops::Range;

/// Number of words in a text: two blocks of SHAKE128, and one word that is not used.
pub(super) const WORDS: usize = 2 * 21 + 1;
const BYTES: usize = 8 * (WORDS - 1);
/// Number of blocks, from the first on, that may use templates.
const BLOCKS: usize = 2;

/// The memory of a text. It stays where it was created, because it is too large to be moved.
pub(super) struct Sheet<E: Engine> {
    /// The blocks, with zeros in place of the values of the lanes.
    words: [E::Vector; WORDS],
    /// The blocks, with the values of the last step.
    work: [E::Vector; WORDS],
    bytes: [u8; BYTES],
    prepared: [MaybeUninit<E::Prepared>; BLOCKS],
}

impl<E: Engine> Sheet<E> {
    /// Returns an empty sheet.
    #[inline(always)]
    pub(super) fn blank() -> Self {
        let words = [E::Vector::splat_zero(); WORDS];
        Self { words, work: words, bytes: [0; BYTES], prepared: [MaybeUninit::uninit(); BLOCKS] }
    }
}

/// Padded blocks with a body of their own in each lane.
pub(super) struct Text<'s, E: Engine> {
    start: E::Wide,
    words: &'s mut [E::Vector; WORDS],
    work: &'s mut [E::Vector; WORDS],
    bytes: &'s mut [u8; BYTES],
    /// Offset of the body in bytes.
    at: usize,
    /// Number of blocks.
    blocks: usize,
    /// Number of words in a block.
    block: usize,
    plans: [Plan<'s, E>; BLOCKS],
}

/// Bytes of a body that change: offset of the first, and of the byte after the last.
pub(super) type Hole = (usize, usize);

/// A bit of a word, to be added or flipped in every lane.
pub(super) struct Bit<E: Engine> {
    word: usize,
    bit: E::Vector,
}

/// The place of a two-byte number in a body.
#[allow(dead_code, reason = "used where there are vectors")]
pub(super) struct Slot<E: Engine> {
    word: usize,
    /// The word without numbers.
    empty: E::Vector,
    /// Number of bits after the number in its word.
    back: u32,
}

#[allow(dead_code, reason = "used where there are vectors")]
impl<E: Engine> Slot<E> {
    /// Shifts numbers of two bytes to their place in the word.
    #[inline(always)]
    fn place(&self, number: E::Vector) -> E::Vector {
        if E::BIG_ENDIAN {
            return number.shl_by(self.back);
        }
        number.swap_bytes().shr_by(self.back)
    }
}

impl<'s, E: Engine> Text<'s, E> {
    /// Returns the padded blocks of a body of `len` bytes after `from`. With `resume`, the body
    /// follows a key that has completed the block of `from`. From one step to the next, only the
    /// bytes of the body in `holes` change. At most n bytes of the final state are read.
    #[inline(always)]
    pub(super) fn new(
        sheet: &'s mut Sheet<E>,
        from: &Midstate<E::Hash>,
        resume: bool,
        len: usize,
        holes: &[Hole],
        n: usize,
    ) -> Option<Self> {
        let Sheet { words, work, bytes, prepared: [first, second] } = sheet;
        let word = size_of::<LaneOf<E>>();
        let room = word * (WORDS - 1);
        let (len, at) = message::frame(from, resume, len, &mut bytes[..room])?;
        for ((to, work), bytes) in words.iter_mut().zip(&mut *work).zip(bytes[..len].chunks(word)) {
            *to = E::Vector::splat(LaneOf::<E>::from_bytes(bytes, E::BIG_ENDIAN));
            *work = *to;
        }
        let start = spread::<E>(&from.state);
        let (blocks, block) = (len / from.block_len, from.block_len / word);
        let ends = [0, from.block_len, 2 * from.block_len];
        let template = |number: usize, fresh| Template {
            holes: words_of(holes, at, ends[number]..ends[number + 1], word),
            fresh,
            row: number + 1 == blocks && n <= ROW * word,
        };
        let plans = [Plan::new(template(0, !resume), first), Plan::new(template(1, false), second)];
        Some(Self { start, words, work, bytes, at, blocks, block, plans })
    }

    /// Prepares the constant parts of the blocks, for several steps.
    #[inline(always)]
    pub(super) fn prepare(&mut self) {
        for (i, plan) in self.plans.iter_mut().enumerate().take(self.blocks) {
            plan.prepare(&self.start, &self.words[i * self.block..(i + 1) * self.block]);
        }
    }

    /// Sets the first bytes of the body in one lane.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, head: &[u8]) {
        let word = size_of::<LaneOf<E>>();
        let end = self.at + head.len();
        copy(&mut self.bytes[self.at..end], head);
        for i in self.at / word..end.div_ceil(word) {
            let bytes = &self.bytes[i * word..(i + 1) * word];
            let value = LaneOf::<E>::from_bytes(bytes, E::BIG_ENDIAN);
            // Not a copy of the whole vector: reading it would wait for the store to the lane.
            self.words[i].lanes_mut()[lane] = value;
            self.work[i].lanes_mut()[lane] = value;
        }
        self.change(self.at / word..end.div_ceil(word));
    }

    /// Sets the first `len` bytes of the body in every lane.
    #[inline(always)]
    pub(super) fn set_all(&mut self, heads: &[[u8; HEAD]; MAX_LANES], len: usize) {
        let word = size_of::<LaneOf<E>>();
        if !self.at.is_multiple_of(word) {
            for (lane, head) in heads.iter().enumerate().take(E::Vector::LANES) {
                self.set(lane, &head[..len]);
            }
            return;
        }
        self.bytes[self.at..self.at + len].fill(0);
        let (first, end) = (self.at / word, (self.at + len).div_ceil(word));
        if !len.is_multiple_of(word) {
            let last = &self.bytes[(end - 1) * word..end * word];
            self.words[end - 1] = E::Vector::splat(LaneOf::<E>::from_bytes(last, E::BIG_ENDIAN));
        }
        let (flat, starts) = (heads.as_flattened(), Starts::every(HEAD, E::Vector::LANES));
        read_words::<E>(flat, &starts, len, &mut self.words[first..]);
        copy(&mut self.work[first..end], &self.words[first..end]);
        self.change(first..end);
    }

    /// Records that words changed.
    #[inline(always)]
    fn change(&mut self, words: Range<usize>) {
        for (i, plan) in self.plans.iter_mut().enumerate() {
            let first = i * self.block;
            plan.change(words_of(&[(words.start, words.end)], 0, first..first + self.block, 1));
        }
    }

    /// Sets the first `len` bytes of a head. Most heads are set in full, a case that the compiler
    /// unrolls.
    #[inline(always)]
    pub(super) fn set_head(&mut self, lane: usize, head: &[u8; HEAD], len: usize) {
        if len == HEAD { self.set(lane, head) } else { self.set(lane, &head[..len]) }
    }

    /// Returns the lowest bit of the byte at offset `at` of the body.
    #[inline(always)]
    pub(super) fn bit(&self, at: usize) -> Bit<E> {
        let word = size_of::<LaneOf<E>>();
        let (word, byte) = ((self.at + at) / word, (self.at + at) % word);
        let shift = if E::BIG_ENDIAN { size_of::<LaneOf<E>>() - 1 - byte } else { byte };
        Bit { word, bit: E::Vector::splat(LaneOf::<E>::bit(8 * shift as u32)) }
    }

    /// Adds the bit in every lane.
    #[inline(always)]
    pub(super) fn add(&mut self, Bit { word, bit }: &Bit<E>) {
        let changed = self.words[*word].add(*bit);
        (self.words[*word], self.work[*word]) = (changed, changed);
    }

    /// Flips the bit in every lane.
    #[inline(always)]
    pub(super) fn flip(&mut self, Bit { word, bit }: &Bit<E>) {
        let changed = self.words[*word].xor(*bit);
        (self.words[*word], self.work[*word]) = (changed, changed);
    }

    /// Writes words into the body at offset `at`. `follows` is true if the words written last end
    /// directly before them.
    #[inline(always)]
    pub(super) fn lay(&mut self, at: usize, part: &[E::Vector], follows: bool) {
        let word = size_of::<LaneOf<E>>();
        let (first, off) = ((self.at + at) / word, 8 * ((self.at + at) % word) as u32);
        let end = first + part.len();
        if off == 0 {
            // The or with zero keeps the compiler from copying by halves of vectors. The rounds
            // could load the bytes of such a copy only once they are in the cache.
            let places = self.work[first..end].iter_mut().zip(&self.words[first..end]);
            for ((to, zero), x) in places.zip(part) {
                *to = zero.or(*x);
            }
            return;
        }
        let mut shared = if follows { self.work[first] } else { self.words[first] };
        for (to, x) in self.work[first..end].iter_mut().zip(part) {
            let (now, later) = cut::<E>(*x, off);
            *to = shared.or(now);
            shared = later;
        }
        self.work[end] = self.words[end].or(shared);
    }

    /// Computes the state after all blocks.
    #[inline(always)]
    pub(super) fn hash(&self, to: &mut E::Wide) {
        self.first_block(to);
        self.later_blocks(1, to);
    }

    /// Computes the state after the first block.
    #[inline(always)]
    pub(super) fn first_block(&self, to: &mut E::Wide) {
        self.plans[0].begin(to, &self.start, &self.work[..self.block]);
    }

    /// Absorbs all blocks into `state` instead of the start of the text.
    #[inline(always)]
    pub(super) fn hash_from(&self, state: &mut E::Wide) {
        self.later_blocks(0, state);
    }

    /// Absorbs the blocks from number `first` on.
    #[inline(always)]
    fn later_blocks(&self, first: usize, state: &mut E::Wide) {
        for i in first..self.blocks {
            let block = &self.work[i * self.block..(i + 1) * self.block];
            match self.plans.get(i) {
                Some(plan) => plan.absorb(state, block),
                None => E::absorb(state, block),
            }
        }
    }
}

#[allow(dead_code, reason = "used where there are vectors")]
impl<E: Engine> Text<'_, E> {
    /// Sets bytes of the body from offset `from` on, to the same in every lane.
    #[inline(always)]
    pub(super) fn set_same(&mut self, from: usize, head: &[u8]) {
        let word = size_of::<LaneOf<E>>();
        let (start, end) = (self.at + from, self.at + from + head.len());
        self.bytes[start..end].copy_from_slice(head);
        for i in start / word..end.div_ceil(word) {
            let bytes = &self.bytes[i * word..(i + 1) * word];
            self.words[i] = E::Vector::splat(LaneOf::<E>::from_bytes(bytes, E::BIG_ENDIAN));
            self.work[i] = self.words[i];
        }
        self.change(start / word..end.div_ceil(word));
    }

    /// Returns the place of a two-byte number at offset `at` of the body. The bytes there must be
    /// zero. Returns `None` if they are not in one word.
    #[inline(always)]
    pub(super) fn slot(&self, at: usize) -> Option<Slot<E>> {
        let size = size_of::<LaneOf<E>>();
        let (word, byte) = ((self.at + at) / size, (self.at + at) % size);
        let back = 8 * (size as u32).checked_sub(byte as u32 + 2)?;
        Some(Slot { word, empty: self.words[word], back })
    }

    /// Returns the word with the byte at offset `at` of the body, to be restored by
    /// [`number`](Self::number).
    #[inline(always)]
    pub(super) fn kept(&self, at: usize) -> Slot<E> {
        let word = (self.at + at) / size_of::<LaneOf<E>>();
        Slot { word, empty: self.words[word], back: 0 }
    }

    /// Restores the words of all slots. Then writes a number into each of the first slots, with a
    /// value of its own in each lane.
    #[inline(always)]
    pub(super) fn number(&mut self, slots: &[Slot<E>], numbers: &[E::Vector]) {
        for slot in slots {
            (self.words[slot.word], self.work[slot.word]) = (slot.empty, slot.empty);
        }
        for (slot, number) in slots.iter().zip(numbers) {
            let word = self.words[slot.word].or(slot.place(*number));
            (self.words[slot.word], self.work[slot.word]) = (word, word);
            self.change(slot.word..slot.word + 1);
        }
    }

    /// Overwrites the blocks.
    #[inline(always)]
    pub(super) fn wipe(&mut self) {
        wipe(self.words, E::Vector::splat_zero());
        wipe(self.work, E::Vector::splat_zero());
        wipe(self.bytes, 0);
    }
}

/// Splits x into the parts that fall into two words, if x begins at bit `off` of the first word.
#[inline(always)]
fn cut<E: Engine>(x: E::Vector, off: u32) -> (E::Vector, E::Vector) {
    let back = 8 * size_of::<LaneOf<E>>() as u32 - off;
    if E::BIG_ENDIAN { (x.shr_by(off), x.shl_by(back)) } else { (x.shl_by(off), x.shr_by(back)) }
}

/// Returns the words of `block` that contain bytes in `holes`, as a bit mask. The body that the
/// holes refer to begins at byte `at`.
#[inline(always)]
pub(super) fn words_of(holes: &[Hole], at: usize, block: Range<usize>, word: usize) -> u32 {
    let mut words = 0;
    for hole in holes {
        let (from, to) = ((at + hole.0).max(block.start), (at + hole.1).min(block.end));
        for byte in from..to {
            words |= 1 << ((byte - block.start) / word);
        }
    }
    words
}

/// Returns a state in every lane.
#[inline(always)]
pub(super) fn spread<E: Engine>(state: &<E::Hash as HashFunction>::State) -> E::Wide {
    let mut wide = E::fill(E::Vector::splat_zero());
    for (to, word) in wide.as_mut().iter_mut().zip(state.as_ref()) {
        *to = E::Vector::splat(*word);
    }
    wide
}
