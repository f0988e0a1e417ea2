//! Digests in lanes. Messages, keys and states are read into the lanes without an intermediate
//! copy.

use super::batch;
use super::chains::{Engine, LaneOf, VALUE};
use super::items::{Starts, read_words, write_words};
use super::plan::Plan;
use super::text::{spread, words_of};
use crate::hash::HashFunction;
use crate::hash::template::{ROW, Template};
use crate::kernel::message::{Messages, Shape, wipe};
use crate::kernel::midstate::MAX_BLOCK;
use crate::word::vector::{Vector, copy};
use crate::word::{Lane, Word};
use core::mem::MaybeUninit;

/// Maximum number of words in a block.
const BLOCK_WORDS: usize = MAX_BLOCK / 8;

/// Hashes as many messages as fill the lanes, and the rest too if they are at least `break_even`.
/// Returns how many were hashed: none if the parts of a message do not begin at word boundaries.
#[inline(always)]
pub(crate) fn digests<E: Engine>(
    messages: &Messages<'_, E::Hash>,
    out: &mut [u8],
    n: usize,
    break_even: usize,
) -> usize {
    let (word, lanes, count) = (size_of::<LaneOf<E>>(), E::Vector::LANES, out.len() / n);
    let shape = messages.shape(count);
    let starts = [shape.key, shape.message, n];
    if count < break_even || n > VALUE || !starts.iter().all(|at| at.is_multiple_of(word)) {
        return 0;
    }
    let taken = batch::taken(count, lanes, break_even);
    let mut work = Work::<E>::new(messages, shape, count);
    let mut block = [E::Vector::splat_zero(); BLOCK_WORDS];
    let (mut prepared, frames);
    let frames = if taken > lanes {
        prepared = [MaybeUninit::uninit(); FRAMES];
        frames = work.frames(&mut prepared, n);
        Some(&frames)
    } else {
        None
    };
    for (first, out) in (0..taken).step_by(lanes).zip(out[..taken * n].chunks_mut(lanes * n)) {
        work.group(first, frames, &mut block, out, n);
    }
    wipe(&mut block, E::Vector::splat_zero());
    taken
}

/// Number of blocks that may have bytes shared by all messages: the first one and the last two.
const FRAMES: usize = 3;

/// Such a block: the shared bytes with zeros elsewhere, and the plan to absorb it.
struct Frame<'p, E: Engine> {
    words: [E::Vector; BLOCK_WORDS],
    plan: Plan<'p, E>,
}

type Frames<'p, E> = [Frame<'p, E>; FRAMES];

/// The data shared by all groups of messages.
struct Work<'a, E: Engine> {
    messages: &'a Messages<'a, E::Hash>,
    shape: Shape<'a>,
    count: usize,
    /// The state before the first block, if the keys are not states to resume from.
    start: E::Wide,
    /// Number of blocks.
    blocks: usize,
    /// Offsets of the keys and the messages of a full group, relative to its first one.
    keys: Starts,
    items: Starts,
}

impl<'a, E: Engine> Work<'a, E> {
    #[inline(always)]
    fn new(messages: &'a Messages<'a, E::Hash>, shape: Shape<'a>, count: usize) -> Self {
        let blocks = (shape.end + E::Hash::PADDING).div_ceil(messages.from.block_len);
        let start = spread::<E>(&messages.from.state);
        let keys = Starts::every(messages.keys.len() / count, E::Vector::LANES);
        let items = Starts::every(shape.message_len, E::Vector::LANES);
        Self { messages, shape, count, start, blocks, keys, items }
    }

    /// Returns the index of a block's frame, if it may have one.
    #[inline(always)]
    fn frame_of(&self, number: usize) -> Option<usize> {
        let left = self.blocks - number;
        if number == 0 { Some(0) } else { (left < FRAMES).then_some(left) }
    }

    /// Writes the bytes of a block that all messages share: the pending bytes and the padding.
    #[inline(always)]
    fn frame(&self, number: usize, words: &mut [E::Vector; BLOCK_WORDS]) {
        let (block_len, word) = (self.messages.from.block_len, size_of::<LaneOf<E>>());
        let mut bytes = [0; MAX_BLOCK];
        let bytes = &mut bytes[..block_len];
        self.messages.frame(&self.shape, number * block_len, bytes);
        for (to, bytes) in words.iter_mut().zip(bytes.chunks_exact(word)) {
            *to = E::Vector::splat(LaneOf::<E>::from_bytes(bytes, E::BIG_ENDIAN));
        }
    }

    /// Prepares the constant parts of the blocks, for several groups. Digests have n bytes.
    #[inline(always)]
    fn frames<'p>(
        &self,
        prepared: &'p mut [MaybeUninit<E::Prepared>; FRAMES],
        n: usize,
    ) -> Frames<'p, E> {
        let [first, last, middle] = prepared;
        // In the order of `frame_of`: the first block, the last one, the one before it.
        [
            self.planned((0, 0), n, first),
            self.planned((1, self.blocks - 1), n, last),
            self.planned((2, self.blocks.saturating_sub(2)), n, middle),
        ]
    }

    /// Returns the frame of a block. It is prepared if `place` is the index of this block's frame.
    #[inline(always)]
    fn planned<'p>(
        &self,
        (place, number): (usize, usize),
        n: usize,
        prepared: &'p mut MaybeUninit<E::Prepared>,
    ) -> Frame<'p, E> {
        let (block_len, word) = (self.messages.from.block_len, size_of::<LaneOf<E>>());
        let (first, fresh) = (number * block_len, number == 0 && !self.messages.resume);
        let body = (self.shape.key, self.shape.end);
        let holes = words_of(&[body], 0, first..first + block_len, word);
        let mut words = [E::Vector::splat_zero(); BLOCK_WORDS];
        let row = number + 1 == self.blocks && n <= ROW * word;
        let mut plan = Plan::new(Template { holes, fresh, row }, prepared);
        if self.frame_of(number) == Some(place) {
            self.frame(number, &mut words);
            plan.prepare(&self.start, &words[..block_len / word]);
        }
        Frame { words, plan }
    }

    /// Computes a digest in each lane, from message `first` on. Spare lanes repeat the last
    /// message.
    #[inline(always)]
    fn group(
        &mut self,
        first: usize,
        frames: Option<&Frames<'_, E>>,
        block: &mut [E::Vector; BLOCK_WORDS],
        out: &mut [u8],
        n: usize,
    ) {
        let left = self.count - first;
        if left < E::Vector::LANES {
            self.keys.repeat_last(left);
            self.items.repeat_last(left);
        }
        let mut state = self.start;
        if self.messages.resume {
            self.resume(first, &mut state);
        }
        let used = self.messages.from.block_len / size_of::<LaneOf<E>>();
        for number in 0..self.blocks {
            match (self.frame_of(number), frames) {
                (Some(place), Some(frames)) => {
                    copy(&mut block[..used], &frames[place].words[..used]);
                    self.lay(number, first, &mut block[..used]);
                    frames[place].plan.absorb(&mut state, &block[..used]);
                }
                (place, _) => {
                    if place.is_some() {
                        self.frame(number, block);
                    }
                    self.lay(number, first, &mut block[..used]);
                    E::absorb(&mut state, &block[..used]);
                }
            }
        }
        let starts = Starts::every(n, out.len() / n);
        write_words::<E>(state.as_ref(), out, &starts, n);
    }

    /// Reads the states that a group resumes from.
    #[inline(always)]
    fn resume(&self, first: usize, state: &mut E::Wide) {
        let len = self.messages.keys.len() / self.count;
        let flat = &self.messages.keys[first * len..];
        read_words::<E>(flat, &self.keys, len, state.as_mut());
    }

    /// Writes the keys and messages of a group into a block.
    #[inline(always)]
    fn lay(&self, number: usize, first: usize, words: &mut [E::Vector]) {
        let (shape, block_len) = (&self.shape, self.messages.from.block_len);
        let (at, end) = (number * block_len, (number + 1) * block_len);
        let parts = [
            (shape.key, shape.keys, shape.key_len, &self.keys),
            (shape.message, self.messages.messages, shape.message_len, &self.items),
        ];
        for (start, flat, len, starts) in parts {
            let (from, to) = (at.max(start), end.min(start + len));
            if from < to {
                let flat = &flat[first * len + from - start..];
                let to_words = &mut words[(from - at) / size_of::<LaneOf<E>>()..];
                read_words::<E>(flat, starts, to - from, to_words);
            }
        }
    }
}
