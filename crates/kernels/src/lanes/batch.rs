//! Batches over a vector word: full vectors first, then the rest in the cheaper way.

use crate::word::vector::MAX_LANES;

/// Returns how many of `count` items are processed in lanes: those that fill vectors, and the rest
/// too if it has at least `break_even` items.
#[inline(always)]
pub(crate) fn taken(count: usize, lanes: usize, break_even: usize) -> usize {
    let rest = count % lanes;
    if rest < break_even { count - rest } else { count }
}

/// Returns the items, at least one, padded with copies of the first.
#[inline(always)]
pub(crate) fn filled<T: Copy>(items: &[T]) -> [T; MAX_LANES] {
    let mut filled = [items[0]; MAX_LANES];
    filled[..items.len()].copy_from_slice(items);
    filled
}
