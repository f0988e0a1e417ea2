//! The rounds of SHA-2 over a [template](crate::hash::template). [`prepare`] computes once
//! everything that depends only on its constant words; [`fill_in`] does the rest for each block.

use super::{Variant, mix, sixteen};
use crate::hash::template::{MOST_ROUNDS, begins, changes, first, has_constant_part, knows_h};
use crate::word::vector::Vector;
use crate::word::{Lane, Round};

/// Number of rounds that are specialised for a template. In later rounds hardly any word of the
/// schedule is constant, and code for all rounds of each template would not fit the instruction
/// cache.
const MIXED: usize = 32;

/// The constant part of a template, computed once. Entries that its rounds do not use are zero.
#[derive(Clone, Copy)]
pub(crate) struct Prepared<W: Vector> {
    /// The state before the block.
    start: [W; 8],
    /// The state after the first round with a hole, computed with zero in place of the hole.
    state: [W; 8],
    /// The constant terms of each word of the schedule: the whole word, if it does not change.
    parts: [W; MIXED - 16],
    /// The constant terms that each round adds: K, its word of the schedule, h.
    addends: [W; MIXED],
    /// For a block without holes: the sum of K and the word of each round, equal in all lanes.
    whole: [W::Lane; MOST_ROUNDS],
}

impl<W: Vector> Prepared<W> {
    /// Returns an empty constant part.
    #[inline(always)]
    pub fn blank() -> Self {
        let zero = W::splat_zero();
        Self {
            start: [zero; 8],
            state: [zero; 8],
            parts: [zero; MIXED - 16],
            addends: [zero; MIXED],
            whole: [W::Lane::ZERO; MOST_ROUNDS],
        }
    }
}

/// Repeats an expression for each number below 8, 16 or 32. The number is a constant in the
/// expression.
macro_rules! every {
    (8, $name:ident => $do:expr) => { every!(@ $name => $do; 0 1 2 3 4 5 6 7) };
    (16, $name:ident => $do:expr) => {
        every!(8, $name => $do);
        every!(@ $name => $do; 8 9 10 11 12 13 14 15);
    };
    (32, $name:ident => $do:expr) => {
        every!(16, $name => $do);
        every!(@ $name => $do; 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    };
    (@ $name:ident => $do:expr; $($t:literal)*) => {$({
        const $name: usize = $t;
        $do
    })*};
}

/// Computes everything that depends only on the constant words. The holes of `block` may have any
/// value.
#[inline(always)]
pub(crate) fn prepare<V, W, const HOLES: u32, const FRESH: bool>(
    to: &mut Prepared<W>,
    start: &[W; 8],
    block: &[W; 16],
) where
    V: Variant<W>,
    W: Round + Vector,
{
    if const { HOLES == 0 } {
        return prepare_whole::<V, W>(to, block);
    }
    let mut constants = [W::splat_zero(); MIXED];
    every!(32, T => constant_terms::<V, W, HOLES, T>(to, &mut constants, block));
    let mut s = *start;
    if FRESH {
        to.start = s;
        every!(16, T => if const { begins(HOLES, T) } {
            let known = s[h_of(T)].add(constants[T].add(W::splat(V::K[T])));
            mix::<V, W>(&mut s, T, known);
        });
        to.state = s;
    }
    every!(32, T => {
        let mut addend = W::splat(V::K[T]).add(constants[T]);
        if const { knows_h(HOLES, FRESH, T) } {
            addend = addend.add(s[h_of(T)]);
        }
        to.addends[T] = addend;
    });
}

/// Computes the constant terms of word T of the schedule.
#[inline(always)]
fn constant_terms<V, W, const HOLES: u32, const T: usize>(
    to: &mut Prepared<W>,
    constants: &mut [W; MIXED],
    block: &[W; 16],
) where
    V: Variant<W>,
    W: Round + Vector,
{
    if const { T < 16 } {
        if const { !changes(HOLES, T) } {
            constants[T] = block[T];
        }
        return;
    }
    let mut part = W::splat_zero();
    if const { T >= 16 && !changes(HOLES, T - 16) } {
        part = part.add(constants[T - 16]);
    }
    if const { T >= 16 && !changes(HOLES, T - 15) } {
        part = part.add(V::mix0(constants[T - 15]));
    }
    if const { T >= 16 && !changes(HOLES, T - 7) } {
        part = part.add(constants[T - 7]);
    }
    if const { T >= 16 && !changes(HOLES, T - 2) } {
        part = part.add(V::mix1(constants[T - 2]));
    }
    if const { !changes(HOLES, T) } {
        constants[T] = part;
    }
    to.parts[T - 16] = part;
}

/// Computes the sums of round constant and word for a block without holes.
#[inline(always)]
fn prepare_whole<V: Variant<W>, W: Round + Vector>(to: &mut Prepared<W>, block: &[W; 16]) {
    let mut words = [W::splat_zero(); MOST_ROUNDS];
    words[..16].copy_from_slice(block);
    for t in 16..V::ROUNDS {
        let mixed = V::mix1(words[t - 2]).add(V::mix0(words[t - 15]));
        words[t] = words[t - 16].add(words[t - 7]).add(mixed);
    }
    for (t, to) in to.whole.iter_mut().enumerate().take(V::ROUNDS) {
        *to = words[t].add(W::splat(V::K[t])).lanes()[0];
    }
}

/// Absorbs a block of a prepared template into each lane. Only the holes of the block are used.
#[inline(always)]
pub(crate) fn fill_in<V, W, const HOLES: u32, const FRESH: bool>(
    state: &mut [W; 8],
    from: &Prepared<W>,
    block: &[W; 16],
) where
    V: Variant<W>,
    W: Round + Vector,
{
    let mut s = *state;
    if FRESH {
        s = from.state;
        let first = const { first(HOLES) };
        let (d, h) = ((h_of(first) + 4) % 8, h_of(first));
        (s[d], s[h]) = (s[d].add(block[first]), s[h].add(block[first]));
    }
    if const { HOLES == 0 } {
        all_known::<V, W>(&mut s, from);
    } else {
        let mut w = *block;
        every!(32, T => step::<V, W, HOLES, FRESH, T>(&mut s, &mut w, from));
        for t in (MIXED..V::ROUNDS).step_by(16) {
            sixteen::<V, W, true>(&mut s, &mut w, t);
        }
    }
    let start = if FRESH { &from.start } else { &*state };
    let mut sum = s;
    for (sum, start) in sum.iter_mut().zip(start) {
        *sum = sum.add(*start);
    }
    *state = sum;
}

/// Returns the index of variable h in round t.
#[inline(always)]
const fn h_of(t: usize) -> usize {
    7 - t % 8
}

/// Replaces word T - 16 of the schedule by word T, which depends on a hole.
#[inline(always)]
fn schedule<V, W, const HOLES: u32, const T: usize>(w: &mut [W; 16], from: &Prepared<W>)
where
    V: Variant<W>,
    W: Round + Vector,
{
    let mut word = None;
    if const { T >= 16 && has_constant_part(HOLES, T) } {
        word = plus(word, from.parts[T - 16]);
    }
    if const { T >= 16 && changes(HOLES, T - 16) } {
        word = plus(word, w[T % 16]);
    }
    if const { T >= 16 && changes(HOLES, T - 7) } {
        word = plus(word, w[(T + 9) % 16]);
    }
    if const { T >= 16 && changes(HOLES, T - 15) } {
        word = plus(word, V::mix0(w[(T + 1) % 16]));
    }
    if const { T >= 16 && changes(HOLES, T - 2) } {
        word = plus(word, V::mix1(w[(T + 14) % 16]));
    }
    if let Some(word) = word {
        w[T % 16] = word;
    }
}

/// Adds a term to a sum that may be empty.
#[inline(always)]
fn plus<W: Round>(terms: Option<W>, term: W) -> Option<W> {
    Some(match terms {
        Some(terms) => terms.add(term),
        None => term,
    })
}

/// Runs the rounds of a block without holes.
#[inline(always)]
fn all_known<V: Variant<W>, W: Round + Vector>(s: &mut [W; 8], from: &Prepared<W>) {
    for sums in from.whole[..V::ROUNDS].as_chunks::<8>().0 {
        every!(8, T => {
            let known = s[h_of(T)].add(W::splat(sums[T]));
            mix::<V, W>(s, T, known);
        });
    }
}

/// Runs round T, unless [`prepare`] has already run it.
#[inline(always)]
fn step<V, W, const HOLES: u32, const FRESH: bool, const T: usize>(
    s: &mut [W; 8],
    w: &mut [W; 16],
    from: &Prepared<W>,
) where
    V: Variant<W>,
    W: Round + Vector,
{
    if const { FRESH && begins(HOLES, T) } {
        return;
    }
    if const { T >= 16 && changes(HOLES, T) } {
        schedule::<V, W, HOLES, T>(w, from);
    } else if const { T >= 16 } {
        w[T % 16] = from.parts[T - 16];
    }
    let (word, h) = (w[T % 16], s[h_of(T)]);
    let known = match const { (changes(HOLES, T), knows_h(HOLES, FRESH, T)) } {
        (true, true) => word.add(from.addends[T]),
        (true, false) => h.add(word.add(W::splat(V::K[T]))),
        (false, true) => from.addends[T],
        (false, false) => h.add(from.addends[T]),
    };
    mix::<V, W>(s, T, known);
}
