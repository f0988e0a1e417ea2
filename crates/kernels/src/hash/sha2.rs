//! The rounds of SHA-2 for both word sizes (FIPS 180-4, section 6.2.2 (SHA-256 Hash Computation)
//! and section 6.4.2 (SHA-512 Hash Computation)).

mod filled;
mod function;

pub(crate) use filled::{Prepared, fill_in, prepare};

use crate::word::Round;
use crate::word::vector::{Plain, Vector, columns, swap};

/// The parts that SHA-256 and SHA-512 do not share
/// (FIPS 180-4, section 4.1 (Functions) and section 4.2 (Constants)).
pub(crate) trait Variant<W: Round> {
    /// Number of rounds, a multiple of 16.
    const ROUNDS: usize;
    /// The round constants.
    const K: &'static [W::Lane];

    /// Returns Σ0.
    fn sum0(x: W) -> W;
    /// Returns Σ1.
    fn sum1(x: W) -> W;
    /// Returns σ0.
    fn mix0(x: W) -> W;
    /// Returns σ1.
    fn mix1(x: W) -> W;
}

/// Writes the length of a message in bits at the end of its last block.
fn close(block: &mut [u8], len: u64) {
    let at = block.len() - 8;
    block[at..].copy_from_slice(&(len * 8).to_be_bytes());
}

/// Returns the words of `LANES` blocks, one block in each lane.
#[inline(always)]
fn transpose_blocks<V: Vector, B: Plain>(blocks: &[B]) -> [V; 16] {
    let mut words = columns::<V, 16, _>(blocks);
    if cfg!(target_endian = "little") {
        swap(&mut words);
    }
    words
}

/// Absorbs one block into each lane.
#[inline(always)]
pub(crate) fn compress<V: Variant<W>, W: Round>(state: &mut [W; 8], mut block: [W; 16]) {
    let mut s = *state;
    sixteen::<V, W, false>(&mut s, &mut block, 0);
    for t in (16..V::ROUNDS).step_by(16) {
        sixteen::<V, W, true>(&mut s, &mut block, t);
    }
    for (word, s) in state.iter_mut().zip(s) {
        *word = word.add(s);
    }
}

/// Runs sixteen rounds from round t on. With `NEXT`, each round first computes its word of the
/// message schedule.
#[inline(always)]
fn sixteen<V: Variant<W>, W: Round, const NEXT: bool>(s: &mut [W; 8], w: &mut [W; 16], t: usize) {
    let k: &[W::Lane; 16] = &V::K[t..].as_chunks().0[0];
    macro_rules! rounds {
        ($($i:literal)*) => {$(
            if NEXT {
                schedule::<V, W, $i>(w);
            }
            round::<V, W, { $i % 8 }>(s, w[$i], k[$i]);
        )*};
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// Replaces word I of the message schedule by the word sixteen places later.
#[inline(always)]
fn schedule<V: Variant<W>, W: Round, const I: usize>(w: &mut [W; 16]) {
    let mixed = V::mix1(w[(I + 14) % 16]).add(V::mix0(w[(I + 1) % 16]));
    w[I] = w[I].add(w[(I + 9) % 16]).add(mixed);
}

/// Runs one round. The variables do not move: variable a is word `8 - I` (modulo 8) of the state.
#[inline(always)]
fn round<V: Variant<W>, W: Round, const I: usize>(s: &mut [W; 8], w: W, k: W::Lane) {
    let known = s[7 - I].add(w.add(W::splat(k)));
    mix::<V, W>(s, I, known);
}

/// Runs round t, given the sum of h, the word of the schedule and the round constant.
#[inline(always)]
fn mix<V: Variant<W>, W: Round>(s: &mut [W; 8], t: usize, known: W) {
    let at = |variable: usize| (variable + 8 - t % 8) % 8;
    let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
    let [e, f, g, h] = [at(4), at(5), at(6), at(7)];
    let t1 = known.add(s[e].choose(s[f], s[g])).add(V::sum1(s[e]));
    s[d] = s[d].add(t1);
    s[h] = t1.add(s[a].majority(s[b], s[c])).add(V::sum0(s[a]));
}

/// Absorbs one block as [`compress`] does, with one round in each iteration of a loop.
pub(crate) fn rounds_in_loop<V: Variant<W>, W: Round>(state: &mut [W; 8], w: &mut [W; 16]) {
    let mut s = *state;
    for (t, k) in V::K.iter().enumerate() {
        let at = |further: usize| (t + further) % 16;
        let [a, b, c, d, e, f, g, h] = s;
        let known = h.add(w[at(0)].add(W::splat(*k)));
        let t1 = known.add(e.choose(f, g)).add(V::sum1(e));
        let t2 = a.majority(b, c).add(V::sum0(a));
        s = [t1.add(t2), a, b, c, d.add(t1), e, f, g];
        let mixed = V::mix1(w[at(14)]).add(V::mix0(w[at(1)]));
        w[at(0)] = w[at(0)].add(w[at(9)]).add(mixed);
    }
    for (word, s) in state.iter_mut().zip(s) {
        *word = word.add(s);
    }
}
