//! The rounds of SHA-2 (FIPS 180-4, section 6.2.2 (SHA-256 Hash Computation) and section 6.4.2 (SHA-512 Hash Computation)), for both word sizes.

use super::word::Word;

/// What SHA-256 and SHA-512 do not share (FIPS 180-4, section 4.1 (Functions) and section 4.2 (Constants)).
pub(crate) trait Variant<W: Word> {
    /// Number of rounds, a multiple of 16.
    const ROUNDS: usize;
    /// The round constants.
    const K: &'static [W::Lane];

    /// Σ0.
    fn sum0(x: W) -> W;
    /// Σ1.
    fn sum1(x: W) -> W;
    /// σ0.
    fn mix0(x: W) -> W;
    /// σ1.
    fn mix1(x: W) -> W;
}

/// Absorbs one block into each lane.
#[inline(always)]
pub(crate) fn compress<V: Variant<W>, W: Word>(state: &mut [W; 8], mut block: [W; 16]) {
    let start = *state;
    sixteen::<V, W>(state, &block, 0);
    for t in (16..V::ROUNDS).step_by(16) {
        schedule::<V, W>(&mut block);
        sixteen::<V, W>(state, &block, t);
    }
    for (word, start) in state.iter_mut().zip(start) {
        *word = word.add(start);
    }
}

/// The next sixteen words of the message schedule.
#[inline(always)]
fn schedule<V: Variant<W>, W: Word>(w: &mut [W; 16]) {
    for i in 0..16 {
        let mixed = V::mix1(w[(i + 14) % 16]).add(V::mix0(w[(i + 1) % 16]));
        w[i] = w[i].add(w[(i + 9) % 16]).add(mixed);
    }
}

/// Sixteen rounds from round t.
#[inline(always)]
fn sixteen<V: Variant<W>, W: Word>(state: &mut [W; 8], w: &[W; 16], t: usize) {
    let mut s = *state;
    let k = &V::K[t..t + 16];
    for i in [0, 8] {
        round::<V, W, 0>(&mut s, w[i], k[i]);
        round::<V, W, 1>(&mut s, w[i + 1], k[i + 1]);
        round::<V, W, 2>(&mut s, w[i + 2], k[i + 2]);
        round::<V, W, 3>(&mut s, w[i + 3], k[i + 3]);
        round::<V, W, 4>(&mut s, w[i + 4], k[i + 4]);
        round::<V, W, 5>(&mut s, w[i + 5], k[i + 5]);
        round::<V, W, 6>(&mut s, w[i + 6], k[i + 6]);
        round::<V, W, 7>(&mut s, w[i + 7], k[i + 7]);
    }
    *state = s;
}

/// One round; instead of moving the words, variable a is at `8 - I` (modulo 8).
#[inline(always)]
fn round<V: Variant<W>, W: Word, const I: usize>(s: &mut [W; 8], w: W, k: W::Lane) {
    let at = |variable: usize| (variable + 8 - I) % 8;
    let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
    let [e, f, g, h] = [at(4), at(5), at(6), at(7)];
    let known = s[h].add(w.add(W::splat(k)));
    let t1 = known.add(s[e].choose(s[f], s[g])).add(V::sum1(s[e]));
    s[d] = s[d].add(t1);
    s[h] = t1.add(s[a].majority(s[b], s[c])).add(V::sum0(s[a]));
}
