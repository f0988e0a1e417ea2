//! Transfer between items in memory and words in lanes. The items may be at any offsets.

use super::chains::{Engine, LaneOf, swapped};
use crate::kernel::message::wipe;
use crate::word::Word;
use crate::word::vector::{MAX_LANES, Vector};

/// Offsets of the items of the lanes in a flat slice.
pub(super) struct Starts {
    at: [usize; MAX_LANES],
    /// Number of lanes that have an item.
    used: usize,
    /// The largest of the offsets.
    last: usize,
}

impl Starts {
    /// Returns the starts of items at these offsets.
    #[inline(always)]
    pub fn new(items: &[usize]) -> Self {
        let mut at = [0; MAX_LANES];
        at[..items.len()].copy_from_slice(items);
        let last = items.iter().fold(0, |last, start| last.max(*start));
        Self { at, used: items.len(), last }
    }

    /// Returns the starts of `used` items of `len` bytes, one after the other.
    #[inline(always)]
    pub fn every(len: usize, used: usize) -> Self {
        let mut at = [0; MAX_LANES];
        for (i, at) in at.iter_mut().enumerate() {
            *at = i * len;
        }
        Self { at, used, last: used.saturating_sub(1) * len }
    }

    /// Makes all lanes from `count` on repeat the item before them.
    #[inline(always)]
    #[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn repeat_last(&mut self, count: usize) {
        let last = self.at[count - 1];
        self.at[count..].fill(last);
        self.last = self.at.iter().fold(0, |last, start| last.max(*start));
    }
}

/// Reads `len` bytes at each of `starts` into words. If the bytes end inside a word, they are
/// combined with that word by or. It must then be zero in their place; its other bytes are kept.
#[inline(always)]
pub(super) fn read_words<E: Engine>(
    flat: &[u8],
    starts: &Starts,
    len: usize,
    to: &mut [E::Vector],
) {
    let size = size_of::<E::Vector>();
    for at in (0..len).step_by(size) {
        let (flat, to) = (&flat[at..], &mut to[at / size_of::<LaneOf<E>>()..]);
        // The arms differ only in the length, which the compiler then knows.
        match len - at {
            left if left >= size => read_piece::<E>(flat, starts, size, to),
            16 => read_piece::<E>(flat, starts, 16, to),
            32 => read_piece::<E>(flat, starts, 32, to),
            // A compressed address before one and two values of 16 bytes.
            38 => read_piece::<E>(flat, starts, 38, to),
            54 => read_piece::<E>(flat, starts, 54, to),
            left => read_piece::<E>(flat, starts, left, to),
        }
    }
}

/// Reads a piece of at most a vector, as [`read_words`] does.
#[inline(always)]
fn read_piece<E: Engine>(flat: &[u8], starts: &Starts, len: usize, to: &mut [E::Vector]) {
    let word = size_of::<LaneOf<E>>();
    let rows = gather::<E::Vector>(flat, starts, len);
    for (to, row) in to[..len.div_ceil(word)].iter_mut().zip(&rows[..len / word]) {
        *to = value::<E>(*row);
    }
    if !len.is_multiple_of(word) {
        let last = len / word;
        to[last] = to[last].or(first_bytes::<E>(rows[last], len % word));
    }
}

/// Returns the first `bytes` bytes of a row's word; the others become zero.
#[inline(always)]
fn first_bytes<E: Engine>(row: E::Vector, bytes: usize) -> E::Vector {
    let off = 8 * (size_of::<LaneOf<E>>() - bytes) as u32;
    let word = value::<E>(row);
    if E::BIG_ENDIAN { word.shr_by(off).shl_by(off) } else { word.shl_by(off).shr_by(off) }
}

/// Converts a word from the byte order of the machine to that of the message, or back.
#[inline(always)]
fn value<E: Engine>(word: E::Vector) -> E::Vector {
    if swapped::<E>() { word.swap_bytes() } else { word }
}

/// Writes the first n bytes of every lane's words; n is a multiple of the word size.
#[inline(always)]
pub(super) fn write_words<E: Engine>(
    words: &[E::Vector],
    flat: &mut [u8],
    starts: &Starts,
    n: usize,
) {
    // The arms differ only in the length, which the compiler then knows.
    match n {
        16 => write_piece::<E>(words, flat, starts, 16),
        24 => write_piece::<E>(words, flat, starts, 24),
        32 => write_piece::<E>(words, flat, starts, 32),
        _ => write_piece::<E>(words, flat, starts, n),
    }
}

/// Writes words, as [`write_words`] does.
#[inline(always)]
fn write_piece<E: Engine>(words: &[E::Vector], flat: &mut [u8], starts: &Starts, n: usize) {
    let mut own = [E::Vector::splat_zero(); MAX_LANES];
    let own = &mut own[..n / size_of::<LaneOf<E>>()];
    for (to, word) in own.iter_mut().zip(words) {
        *to = value::<E>(*word);
    }
    scatter(own, flat, starts, n);
}

/// Reads `len` bytes, at most a vector, at each of `starts`, one for each lane. Word j of the
/// result has word j of every item. Words after the last of these bytes have any value.
#[inline(always)]
fn gather<V: Vector>(flat: &[u8], starts: &Starts, len: usize) -> [V; MAX_LANES] {
    assert!(starts.used == V::LANES && len <= size_of::<V>());
    let room = flat[starts.last..].len();
    assert!(len <= room);
    let mut from = [flat.as_ptr(); MAX_LANES];
    for (from, start) in from.iter_mut().zip(&starts.at) {
        *from = from.wrapping_add(*start);
    }
    // SAFETY: no start is beyond the last one, from which `room` bytes follow.
    unsafe { V::read_items(&from, len, room) }
}

/// Writes `len` bytes of each lane to `flat` at each of `starts`: the reverse of [`gather`]. If
/// there are fewer starts than lanes, the items of the other lanes are discarded.
#[inline(always)]
fn scatter<V: Vector>(words: &[V], flat: &mut [u8], starts: &Starts, len: usize) {
    assert!(starts.used <= V::LANES && (starts.used == 0 || len <= flat[starts.last..].len()));
    let mut spare = [V::splat_zero(); 1];
    let base = flat.as_mut_ptr();
    for at in (0..len).step_by(size_of::<V>()) {
        let bytes = (len - at).min(size_of::<V>());
        let mut to = [spare.as_mut_ptr().cast::<u8>(); MAX_LANES];
        for (to, start) in to.iter_mut().zip(&starts.at[..starts.used]) {
            *to = base.wrapping_add(start + at);
        }
        let words = &words[at / size_of::<V::Lane>()..(at + bytes).div_ceil(size_of::<V::Lane>())];
        // SAFETY: `len` bytes follow each start, and a vector has room for `bytes` of them.
        unsafe { V::write_items(words, &to, bytes) };
    }
    if starts.used < V::LANES {
        wipe(&mut spare, V::splat_zero());
    }
}
