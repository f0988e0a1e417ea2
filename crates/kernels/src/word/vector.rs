//! Words of several lanes, and the transfer of items between memory and lanes.

use crate::word::{Lane, Word};

/// Maximum number of lanes in a vector.
pub(crate) const MAX_LANES: usize = 16;

/// A word of several lanes.
///
/// # Safety
/// A value is exactly `LANES` words of type `Lane` in memory, lane 0 first. Any bytes are a valid
/// value. `LANES` is at most [`MAX_LANES`].
pub(crate) unsafe trait Vector: Word {
    /// Number of lanes.
    const LANES: usize;

    /// Returns the word that is zero in every lane.
    #[inline(always)]
    fn splat_zero() -> Self {
        Self::splat(Self::Lane::ZERO)
    }

    /// Reverses the bytes of every word.
    fn swap_bytes(self) -> Self;

    /// Transposes the square matrix with these `LANES` rows.
    fn transpose(rows: &mut [Self]);

    /// Reads the lanes from the first `len` bytes at `from`, lane 0 first; the other bytes are
    /// zero.
    ///
    /// # Safety
    /// `len` bytes can be read, and `len` is from 1 to the size of a vector.
    #[inline(always)]
    unsafe fn read(from: *const u8, len: usize) -> Self {
        if len == size_of::<Self>() {
            // SAFETY: the caller vouches for the bytes, the trait for their validity.
            return unsafe { from.cast::<Self>().read_unaligned() };
        }
        let mut value = core::mem::MaybeUninit::<Self>::zeroed();
        // SAFETY: `len` bytes fit, by the caller's promise; zeroed bytes are a value, by the
        // trait's.
        unsafe {
            from.copy_to_nonoverlapping(value.as_mut_ptr().cast(), len);
            value.assume_init()
        }
    }

    /// Reads the first `len` bytes of each lane's item. Word j of the result has word j of every
    /// item. Words after the last of these bytes have any value.
    ///
    /// # Safety
    /// `len` is from 1 to the size of a vector, and at most `room`. `room` bytes can be read from
    /// each of the first `LANES` items.
    #[inline(always)]
    unsafe fn read_items(
        items: &[*const u8; MAX_LANES],
        len: usize,
        room: usize,
    ) -> [Self; MAX_LANES] {
        // SAFETY: the caller vouches for the bytes.
        unsafe { read_rows(items, len, room) }
    }

    /// Writes the first `len` bytes of each lane's item. `words[j]` has word j of every item.
    ///
    /// # Safety
    /// `len` is from 1 to the size of a vector, and `words` covers `len` bytes of an item, rounded
    /// up to whole words. `len` bytes can be written to each of the first `LANES` items.
    #[inline(always)]
    unsafe fn write_items(words: &[Self], items: &[*mut u8; MAX_LANES], len: usize) {
        // SAFETY: the caller vouches for the bytes.
        unsafe { write_rows(words, items, len) }
    }

    /// Returns the lanes.
    #[inline(always)]
    fn lanes(&self) -> &[Self::Lane] {
        // SAFETY: the trait promises this layout.
        unsafe { core::slice::from_raw_parts(core::ptr::from_ref(self).cast(), Self::LANES) }
    }

    /// Returns the lanes for writing.
    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [Self::Lane] {
        // SAFETY: the trait promises this layout.
        unsafe { core::slice::from_raw_parts_mut(core::ptr::from_mut(self).cast(), Self::LANES) }
    }
}

/// Implements [`Vector::read_items`] by reading up to a whole vector of each item.
///
/// # Safety
/// As [`Vector::read_items`].
#[inline(always)]
pub(crate) unsafe fn read_rows<V: Vector>(
    items: &[*const u8; MAX_LANES],
    len: usize,
    room: usize,
) -> [V; MAX_LANES] {
    let len = if room < size_of::<V>() { len } else { size_of::<V>() };
    let mut rows = [V::splat_zero(); MAX_LANES];
    for (row, item) in rows.iter_mut().zip(&items[..V::LANES]) {
        // SAFETY: the caller vouches for the bytes.
        *row = unsafe { V::read(*item, len) };
    }
    V::transpose(&mut rows[..V::LANES]);
    rows
}

/// Implements [`Vector::write_items`] by transposing the words into one vector for each item.
///
/// # Safety
/// As [`Vector::write_items`].
#[inline(always)]
pub(crate) unsafe fn write_rows<V: Vector>(words: &[V], items: &[*mut u8; MAX_LANES], len: usize) {
    let mut rows = [V::splat_zero(); MAX_LANES];
    rows[..words.len()].copy_from_slice(words);
    V::transpose(&mut rows[..V::LANES]);
    for (row, item) in rows.iter().zip(&items[..V::LANES]) {
        // SAFETY: the caller vouches for the bytes.
        unsafe { core::ptr::from_ref(row).cast::<u8>().copy_to_nonoverlapping(*item, len) };
    }
}

/// Returns word j of every item, for each j below W. There must be `LANES` items of at least W
/// words.
#[inline(always)]
pub(crate) fn columns<V: Vector, const W: usize, T: Plain>(items: &[T]) -> [V; W] {
    assert!(items.len() == V::LANES && size_of::<T>() >= W * size_of::<V::Lane>());
    let mut out = [V::splat_zero(); W];
    if V::LANES == 1 {
        let from = core::ptr::from_ref(&items[0]).cast::<V>();
        for (i, to) in out.iter_mut().enumerate() {
            // SAFETY: an item has W words, and a word is a vector.
            *to = unsafe { from.add(i).read_unaligned() };
        }
        return out;
    }
    for at in (0..W).step_by(V::LANES) {
        let (count, first) = (V::LANES.min(W - at), at * size_of::<V::Lane>());
        let mut from = [core::ptr::null(); MAX_LANES];
        for (from, item) in from.iter_mut().zip(items) {
            *from = core::ptr::from_ref(item).cast::<u8>().wrapping_add(first);
        }
        let len = count * size_of::<V::Lane>();
        // SAFETY: an item has W words, and at + count is at most W.
        let words = unsafe { V::read_items(&from, len, len) };
        for (to, word) in out[at..at + count].iter_mut().zip(words) {
            *to = word;
        }
    }
    out
}

/// Returns the order of bytes that reverses words of `bytes` bytes, or rotates them by `by` bytes.
/// The order starts again every 16 bytes, as in byte shuffles.
#[allow(dead_code, reason = "used where there are byte shuffles")]
pub(crate) const fn byte_order<const N: usize>(bytes: usize, reversed: bool, by: usize) -> [u8; N] {
    let (mut order, mut i) = ([0; N], 0);
    while i < N {
        let (word, at) = (i % 16 / bytes * bytes, i % bytes);
        order[i] = (word + if reversed { bytes - 1 - at } else { (at + by) % bytes }) as u8;
        i += 1;
    }
    order
}

/// Reverses the bytes in every word.
#[inline(always)]
pub(crate) fn swap<V: Vector>(words: &mut [V; 16]) {
    for word in words {
        *word = word.swap_bytes();
    }
}

/// Writes the first W words of every item: the reverse of [`columns`].
#[inline(always)]
pub(crate) fn from_columns<V: Vector, const W: usize, T: Plain>(words: &[V; W], items: &mut [T]) {
    assert!(items.len() == V::LANES && size_of::<T>() >= W * size_of::<V::Lane>());
    if V::LANES == 1 {
        let to = core::ptr::from_mut(&mut items[0]).cast::<V>();
        for (i, word) in words.iter().enumerate() {
            // SAFETY: an item has W words, a word is a vector, and any bytes are an item.
            unsafe { to.add(i).write_unaligned(*word) };
        }
        return;
    }
    for at in (0..W).step_by(V::LANES) {
        let (count, first) = (V::LANES.min(W - at), at * size_of::<V::Lane>());
        let mut to = [core::ptr::null_mut(); MAX_LANES];
        for (to, item) in to.iter_mut().zip(&mut *items) {
            *to = core::ptr::from_mut(item).cast::<u8>().wrapping_add(first);
        }
        // SAFETY: an item has W words, at + count is at most W, and any bytes are an item.
        unsafe { V::write_items(&words[at..at + count], &to, count * size_of::<V::Lane>()) };
    }
}

/// Copies words, without a function call for the usual lengths of values.
#[inline(always)]
pub(crate) fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    macro_rules! by_length {
        ($($n:literal)*) => {
            match (to.len(), from.len()) {
                $(($n, $n) => to.as_chunks_mut::<$n>().0[0] = from.as_chunks().0[0],)*
                _ => to.copy_from_slice(from),
            }
        };
    }
    by_length!(2 3 4 6 8 16 22 23 24 32 48 64);
}

/// Items whose every byte is data.
///
/// # Safety
/// Any bytes are a value, and a value has no padding bytes.
pub(crate) unsafe trait Plain {}

// SAFETY: arrays of integers.
unsafe impl<const N: usize> Plain for [u8; N] {}
// SAFETY: as above.
unsafe impl<const N: usize> Plain for [u32; N] {}
// SAFETY: as above.
unsafe impl<const N: usize> Plain for [u64; N] {}

macro_rules! scalar {
    ($word:ty) => {
        // SAFETY: a word is one lane.
        unsafe impl Vector for $word {
            const LANES: usize = 1;

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                <$word>::swap_bytes(self)
            }

            #[inline(always)]
            fn transpose(_rows: &mut [Self]) {}
        }
    };
}

scalar!(u32);
scalar!(u64);
