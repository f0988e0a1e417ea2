//! Digests in lanes: messages are read into the lanes from where they lie, keys and states too.

use super::chains::{Engine, LaneOf, VALUE, VALUE_WORDS, blank};
use super::text::spread;
use crate::hash::HashFunction;
use crate::kernel::message::{Messages, Shape, wipe};
use crate::kernel::midstate::MAX_BLOCK;
use crate::word::vector::{MAX_LANES, Vector, copy, from_columns, swap};
use crate::word::{Lane, Word};

/// Words of the longest block.
const BLOCK_WORDS: usize = MAX_BLOCK / 8;

/// Hashes as many messages as fill the lanes, and the rest too if that is at least `break_even`.
/// Returns how many: none where the parts of a message do not begin at words.
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
    let work = Work::<E> { messages, shape, count };
    let rest = count % lanes;
    let taken = if rest < break_even { count - rest } else { count };
    let mut room = Room::<E>::of(&work);
    for (first, out) in (0..taken).step_by(lanes).zip(out[..taken * n].chunks_mut(lanes * n)) {
        work.group(first, out, n, &mut room);
    }
    wipe(&mut room.block, E::Vector::splat_zero());
    wipe(&mut room.items, [0; VALUE]);
    taken
}

/// Holds what groups use one after the other; overwritten once, at the end.
struct Room<E: Engine> {
    block: [E::Vector; BLOCK_WORDS],
    /// Digests on their way out.
    items: [[u8; VALUE]; MAX_LANES],
    /// Where messages have one block: the word in which a message ends, without the message. Its
    /// frame lies in the block already.
    last: Option<(usize, E::Vector)>,
}

impl<E: Engine> Room<E> {
    #[inline(always)]
    fn of(work: &Work<'_, E>) -> Self {
        let (word, block_len) = (size_of::<LaneOf<E>>(), work.messages.from.block_len);
        let mut block = [E::Vector::splat_zero(); BLOCK_WORDS];
        let alone = work.shape.end + E::Hash::PADDING <= block_len;
        if alone {
            work.frame(0, &mut block[..block_len / word]);
        }
        let last = work.shape.end / word;
        Self { block, items: [[0; VALUE]; MAX_LANES], last: alone.then(|| (last, block[last])) }
    }
}

/// The data that all groups share.
struct Work<'a, E: Engine> {
    messages: &'a Messages<'a, E::Hash>,
    shape: Shape<'a>,
    count: usize,
}

/// A part of every message, in one block: bytes `from` to `to` of the block are bytes `skip` and
/// on of item i of `flat`, whose items have `len` bytes.
struct Part<'a> {
    flat: &'a [u8],
    len: usize,
    skip: usize,
    from: usize,
    to: usize,
}

impl<E: Engine> Work<'_, E> {
    /// Computes a digest in each lane, from message `first` on; spare lanes repeat the last one.
    #[inline(always)]
    fn group(&self, first: usize, out: &mut [u8], n: usize, room: &mut Room<E>) {
        let items: [usize; MAX_LANES] = core::array::from_fn(|i| (first + i).min(self.count - 1));
        let items = &items[..E::Vector::LANES];
        let mut state = self.start(items);
        let block_len = self.messages.from.block_len;
        for at in (0..self.shape.end + E::Hash::PADDING).step_by(block_len) {
            let words = &mut room.block[..block_len / size_of::<LaneOf<E>>()];
            match room.last {
                Some((last, frame)) => words[last] = frame,
                None => self.frame_of(at, words),
            }
            self.lay(at, items, words);
            E::absorb(&mut state, words);
        }
        self.give(&state, out, n, &mut room.items);
    }

    /// Returns the states that the groups begin with.
    #[inline(always)]
    fn start(&self, items: &[usize]) -> E::Wide {
        if !self.messages.resume {
            return spread::<E>(&self.messages.from.state);
        }
        let keys = self.messages.keys;
        let len = keys.len() / self.count;
        let mut words = [E::Vector::splat_zero(); BLOCK_WORDS];
        Part { flat: keys, len, skip: 0, from: 0, to: len }.read::<E>(items, &mut words);
        let mut state = E::fill(E::Vector::splat_zero());
        state.as_mut().copy_from_slice(&words[..VALUE_WORDS]);
        state
    }

    /// Lays out what all messages share of the blocks that begin at byte `at`, if there is any.
    #[inline(always)]
    fn frame_of(&self, at: usize, words: &mut [E::Vector]) {
        let end = at + self.messages.from.block_len;
        if at < self.shape.message || self.shape.end < end {
            self.frame(at, words);
        }
    }

    /// Lays out keys and messages of the blocks that begin at byte `at`.
    #[inline(always)]
    fn lay(&self, at: usize, items: &[usize], words: &mut [E::Vector]) {
        let shape = &self.shape;
        let end = at + self.messages.from.block_len;
        let parts = [
            (shape.key, shape.keys, shape.key_len),
            (shape.message, self.messages.messages, shape.message_len),
        ];
        for (start, flat, len) in parts {
            let (from, to) = (at.max(start), end.min(start + len));
            if from < to {
                let part = Part { flat, len, skip: from - start, from: from - at, to: to - at };
                part.read::<E>(items, words);
            }
        }
    }

    /// Lays out the bytes that all messages share: the pending bytes and the padding.
    #[inline(always)]
    fn frame(&self, at: usize, words: &mut [E::Vector]) {
        let mut bytes = [0; MAX_BLOCK];
        let bytes = &mut bytes[..self.messages.from.block_len];
        self.messages.frame(&self.shape, at, bytes);
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(size_of::<LaneOf<E>>())) {
            *word = E::Vector::splat(LaneOf::<E>::from_bytes(bytes, E::BIG_ENDIAN));
        }
    }

    /// Writes n bytes of every lane's state.
    #[inline(always)]
    fn give(
        &self,
        state: &E::Wide,
        out: &mut [u8],
        n: usize,
        items: &mut [[u8; VALUE]; MAX_LANES],
    ) {
        let mut words = [E::Vector::splat_zero(); 16];
        words[..VALUE_WORDS].copy_from_slice(&state.as_ref()[..VALUE_WORDS]);
        if E::BIG_ENDIAN {
            swap(&mut words);
        }
        let mut values = blank::<E>();
        values.copy_from_slice(&words[..VALUE_WORDS]);
        from_columns(&values, &mut items[..E::Vector::LANES]);
        for (out, item) in out.chunks_exact_mut(n).zip(&*items) {
            copy(out, &item[..n]);
        }
    }
}

impl Part<'_> {
    /// Puts the part into the words of a block; what else lies in its last word stays.
    #[inline(always)]
    fn read<E: Engine>(&self, items: &[usize], words: &mut [E::Vector]) {
        let word = size_of::<LaneOf<E>>();
        for at in (self.from..self.to).step_by(size_of::<E::Vector>()) {
            let bytes = (self.to - at).min(size_of::<E::Vector>());
            let mut rows = [E::Vector::splat_zero(); MAX_LANES];
            for (row, item) in rows.iter_mut().zip(items) {
                *row = self.load::<E::Vector>(item * self.len + self.skip + at - self.from, bytes);
            }
            E::Vector::transpose(&mut rows[..E::Vector::LANES]);
            let whole = bytes / word;
            let to = &mut words[at / word..];
            for (to, row) in to.iter_mut().zip(&rows[..whole]) {
                *to = if E::BIG_ENDIAN { row.swap_bytes() } else { *row };
            }
            if !bytes.is_multiple_of(word) {
                to[whole] = to[whole].or(first_bytes::<E>(rows[whole], bytes % word));
            }
        }
    }

    /// Reads `bytes` bytes from `at` on; those that follow are anything.
    #[inline(always)]
    fn load<V: Vector>(&self, at: usize, bytes: usize) -> V {
        let rest = &self.flat[at..];
        assert!(bytes <= rest.len());
        let bytes = if rest.len() < size_of::<V>() { bytes } else { size_of::<V>() };
        // SAFETY: there are that many, and they are at most a vector.
        unsafe { V::read(rest.as_ptr(), bytes) }
    }
}

/// Returns the first `bytes` bytes of a row's word; the others become zero.
#[inline(always)]
fn first_bytes<E: Engine>(row: E::Vector, bytes: usize) -> E::Vector {
    let off = 8 * (size_of::<LaneOf<E>>() - bytes) as u32;
    if E::BIG_ENDIAN {
        row.swap_bytes().shr_by(off).shl_by(off)
    } else {
        row.shl_by(off).shr_by(off)
    }
}
