//! The trees of an HSS key, derived from the seed of the highest tree.

use crate::hash::over;
use crate::lms;
use crate::one_time::Trees;
use crate::params::{LMS_ID_BYTES, Set};
use crate::secret::Secret;
use alloc::sync::Arc;
use hasten_kernels::{Kernels, many};
use zeroize::Zeroize;

/// Values in the field of the chain number that derive SEED and I of the tree below.
const CHILD_SEED: u16 = 0xfffe;
const CHILD_ID: u16 = 0xffff;

/// Returns the trees of `set`, derived from I ‖ SEED of the highest tree.
pub(crate) fn trees<'k>(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Trees<'k> {
    let (levels, seed) = (set.levels(), Secret::copy(seed));
    Arc::new(move |layer, number| {
        let own = levels[levels.len() - 1 - layer as usize];
        lms::private(own, &at(set, &seed, (layer, number), kernels), kernels)
    })
}

/// Returns I ‖ SEED of tree `number` of `layer`.
fn at(set: &Set, highest: &Secret, (layer, number): (u32, u64), kernels: Kernels<'_>) -> Secret {
    if layer + 1 == set.d {
        return Secret::copy(highest);
    }
    let (above, q) = set.place_in(layer + 1, number);
    let parent = at(set, highest, (layer + 1, above), kernels);
    child((set.layer(layer + 1), &parent), q, set.layer(layer), kernels)
}

/// Returns I ‖ SEED of the tree of `set` below one-time key `q` of the tree of `upper` with `seed`.
fn child((upper, seed): (&Set, &Secret), q: u32, set: &Set, kernels: Kernels<'_>) -> Secret {
    let mut out = Secret::zero(set.seed_bytes());
    let (id, below) = out.split_at_mut(LMS_ID_BYTES);
    derive(upper, seed, (q, CHILD_ID), kernels, id);
    derive(upper, seed, (q, CHILD_SEED), kernels, below);
    out
}

/// Computes the hash of I ‖ u32str(q) ‖ u16str(i) ‖ u8str(0xff) ‖ SEED, cut to the length of `out`.
fn derive(set: &Set, seed: &[u8], (q, i): (u32, u16), kernels: Kernels<'_>, out: &mut [u8]) {
    let (id, seed) = seed.split_at(LMS_ID_BYTES);
    let mut input = [id, &q.to_be_bytes(), &i.to_be_bytes(), &[0xff], seed].concat();
    let n = out.len();
    over!(set.hash, kernels, |kernel, start| many(kernel, &start, &input, out, n));
    input.zeroize();
}
