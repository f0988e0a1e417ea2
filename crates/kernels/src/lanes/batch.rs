//! Batches over a vector word: full vectors, then what is left the cheaper way.

use crate::kernel::{State256, State512, State1600};
use crate::lanes::chains::Engine;
use crate::lanes::vector::{MAX_LANES, Vector, columns, swap, uncolumns};

/// Absorbs a block into each of `LANES` states.
#[inline(always)]
pub(crate) fn lanes256<V: Vector<Lane = u32>, E>(states: &mut [State256], blocks: &[[u8; 64]])
where
    E: Engine<Vector = V, Wide = [V; 8]>,
{
    let mut state = columns::<V, 8, _>(states);
    let mut block = columns::<V, 16, _>(blocks);
    swap(&mut block);
    E::absorb(&mut state, &block);
    uncolumns(&state, states);
}

/// As [`lanes256`].
#[inline(always)]
pub(crate) fn lanes512<V: Vector<Lane = u64>, E>(states: &mut [State512], blocks: &[[u8; 128]])
where
    E: Engine<Vector = V, Wide = [V; 8]>,
{
    let mut state = columns::<V, 8, _>(states);
    let mut block = columns::<V, 16, _>(blocks);
    swap(&mut block);
    E::absorb(&mut state, &block);
    uncolumns(&state, states);
}

/// Permutes each of `LANES` states.
#[inline(always)]
pub(crate) fn lanes1600<V: Vector<Lane = u64>, E>(states: &mut [State1600])
where
    E: Engine<Vector = V, Wide = [V; 25]>,
{
    let mut state = columns::<V, 25, _>(states);
    E::absorb(&mut state, &[]);
    uncolumns(&state, states);
}

/// The blocks of a permutation: none, but one for each state.
pub(crate) fn no_blocks(states: usize) -> &'static [()] {
    // A slice of no bytes has room for any number of them.
    const NONE: &[()] = &[(); usize::MAX];
    &NONE[..states]
}

/// Splits a batch: `wide` takes `lanes` items at a time, also the rest if that has at least
/// `worth` (filled up), else `narrow` takes the rest.
#[inline(always)]
pub(crate) fn split<S: Copy, B: Copy>(
    (lanes, worth): (usize, usize),
    (states, blocks): (&mut [S], &[B]),
    mut wide: impl FnMut(&mut [S], &[B]),
    narrow: impl FnOnce(&mut [S], &[B]),
) {
    assert_eq!(states.len(), blocks.len());
    let whole = states.len() - states.len() % lanes;
    let (full, states) = states.split_at_mut(whole);
    let (full_blocks, blocks) = blocks.split_at(whole);
    for (states, blocks) in full.chunks_exact_mut(lanes).zip(full_blocks.chunks_exact(lanes)) {
        wide(states, blocks);
    }
    let Some((&state, &block)) = states.first().zip(blocks.first()) else { return };
    if states.len() < worth {
        return narrow(states, blocks);
    }
    let (mut filled, mut filled_blocks) = ([state; MAX_LANES], [block; MAX_LANES]);
    filled[..states.len()].copy_from_slice(states);
    filled_blocks[..blocks.len()].copy_from_slice(blocks);
    wide(&mut filled[..lanes], &filled_blocks[..lanes]);
    states.copy_from_slice(&filled[..states.len()]);
}
