//! Tests that no signature costs much more than the mean, for every shape of stateful key.
//!
//! Tall trees use a stub hash that returns zeros. All nodes are then equal, so any row of nodes is
//! valid, and only calls are counted. A key is constructed at an index before a boundary, in the
//! state that it would reach by signing: the next tree of each layer has made the progress that
//! [`pace`] allows since the tree in use began.
//!
//! The tests count [`LayeredKey::frame`]: all of `prepare` at level `early-auth`. The rest of a
//! signature depends on the sum D of its digits. D is M + s, where M is the sum of the message
//! digits, s is the sum of the digits of C - M, and C = len_1 * (w - 1). So D is at most C. M is as
//! likely above C / 2 as below, so the median of D is at least C / 2.

use super::work::{STEP, pace};
use super::*;
use crate::one_time::partial_chains::leaf_cost;
use crate::params::SETS;
use crate::tree::traversal::Traversal;
use crate::tree::traversal::cut;
use core::ops::Range;
use hasten_kernels::chain::{Rule, Span};
use hasten_kernels::{Counter, Counting, HashFunction, Kernel, Kernels, Messages};
use std::{format, vec};

struct Hollow;

impl<H: HashFunction> Kernel<H> for Hollow {
    fn name(&self) -> &'static str {
        "hollow"
    }

    fn lanes(&self) -> usize {
        16
    }

    fn compress(&self, states: &mut [H::State], _: &[H::Block]) {
        states.fill(H::ZERO);
    }

    fn chains(&self, _: &Rule<'_, H>, _: &[Span], _: &mut [u8]) {}

    fn digests(&self, _: &Messages<'_, H>, out: &mut [u8], _: usize) {
        out.fill(0);
    }
}

const HOLLOW: Kernels<'static> = Kernels { sha256: &Hollow, sha512: &Hollow, keccak: &Hollow };

/// Returns a row of `count` nodes of a hollow tree.
fn row(tree: &dyn Secrets<'_>, count: usize) -> Vec<u8> {
    let mut node = vec![0; tree.n()];
    tree.leaves(&[0], &mut node);
    node.repeat(count)
}

/// Returns a hollow tree in use, at `leaf`.
fn in_use<'k>(tree: Arc<dyn Secrets<'k> + 'k>, number: u64, leaf: u32) -> ActiveTree<'k> {
    let row = row(&*tree, 1 << (tree.height() - cut(tree.height())));
    let traversal = Traversal::new(&*tree, &row, leaf, None);
    ActiveTree { number, tree, traversal }
}

/// Returns a hollow tree with `done` computed leaves.
fn partly<'k>(tree: Arc<dyn Secrets<'k> + 'k>, number: u64, done: u64) -> NextTree<'k> {
    let cut = cut(tree.height());
    let nodes = (done >> cut) + (done & ((1 << cut) - 1)) + u64::from(done >> cut > 0) * (1 << cut);
    let kept = [&done.to_be_bytes()[..], &row(&*tree, nodes as usize)].concat();
    NextTree::resume(tree, number, &kept).unwrap().0
}

/// Returns the steps that the layers above `layer` add, on average, for each tree of the layer
/// below it.
fn spare(set: &Set, layer: u32) -> f64 {
    let mut turns = 1.0;
    let share = |above: u32| {
        turns *= (1u64 << set.layer(above - 1).tree_height()) as f64;
        let leaves = if above + 1 < set.d { 3 } else { 2 };
        (leaves * leaf_cost(set.layer(above))) as f64 / turns
    };
    (layer + 1..set.d).map(share).sum()
}

/// Returns the key of `set` at `index`.
fn at<'k>(set: &'static Set, index: u64, kernels: Kernels<'k>) -> LayeredKey<'k> {
    let seed = vec![0; set.seed_bytes()];
    let trees = crate::key::from_seed::trees(set, &seed, kernels).unwrap().0;
    let (mut active, mut nexts, mut below) = (Vec::new(), Vec::new(), index);
    let mut left = 0;
    for layer in 0..set.d {
        let (number, leaf) = set.place_in(layer, below);
        active.push(in_use(trees(layer, number), number, leaf));
        below = number;
        let (own, height) = (leaf_cost(set.layer(layer)), set.layer(layer).tree_height());
        if layer + 1 < set.d && number + 1 < set.trees(layer) {
            let steps = match layer {
                0 => 0.0,
                _ => f64::from(leaf) * (own as f64 + spare(set, layer)),
            };
            let mut done = ((steps / own as f64) as u64).min(1 << height);
            if layer == 0 {
                let credit = pace(set) * u64::from(leaf);
                done = (credit / (STEP * own)).min(1 << height);
                left = credit - done * STEP * own;
            }
            nexts.push((layer, partly(trees(layer, number + 1), number + 1, done)));
        }
    }
    let (uppers, root) = (vec![Vec::new(); active.len()], active.last().unwrap());
    let root = root.traversal.root().to_vec();
    let mut key = LayeredKey::new(set, trees, active, uppers, nexts, &root).unwrap();
    key.credit = left as i64;
    key.spend();
    key
}

/// Returns the maximum and the mean cost of a signature, and the index of the most expensive one.
fn costs(set: &'static Set, indices: Range<u64>) -> (u64, u64, u64) {
    let counter = Counter::new();
    let counting = Counting::new(HOLLOW, &counter);
    let mut key = at(set, indices.start, counting.kernels());
    let mut signature = vec![0; key.layout.len];
    let (mut most, mut dearest, count) = (0, 0, indices.end - indices.start);
    counter.reset();
    for index in indices {
        let before = counter.total();
        key.tree(index);
        key.frame(index, &mut signature);
        let cost = counter.total() - before;
        if cost > most {
            (most, dearest) = (cost, index);
        }
    }
    (most, counter.total() / count, dearest)
}

/// Makes 2,048 signatures, half of them before `boundary`, or all that the key has. Asserts that
/// none costs more than twice the mean.
fn assert_even(set: &'static Set, boundary: u64) {
    let first = boundary.saturating_sub(1_024).min(set.capacity().saturating_sub(2_048));
    let (most, mean, at) = costs(set, first..set.capacity().min(first + 2_048));
    assert!(most <= 2 * mean, "{}: {most} at {at}, {mean} on average, from {first}", set.name);
}

/// Returns for each layer but the highest the index at which its first tree ends, if it is below
/// 2^62.
fn boundaries(set: &Set) -> Vec<u64> {
    let mut width = 0;
    let mut ends = Vec::new();
    for layer in 0..set.d - 1 {
        width += set.layer(layer).tree_height();
        if width < 62 {
            ends.push(1 << width);
        }
    }
    ends
}

fn stateful() -> impl Iterator<Item = &'static Set> {
    SETS.iter().filter(|set| !matches!(set.scheme, Scheme::SlhDsa { .. }))
}

/// At the middle, where the most nodes are completed at once, and at the end.
#[test]
fn every_set_of_one_tree() {
    for set in stateful().filter(|set| set.d == 1) {
        assert_even(set, set.capacity() / 2);
        assert_even(set, set.capacity());
    }
}

/// The boundaries of all layers with SHA-256 and n = 32. With the other sets, only the highest
/// boundary, where all layers change their trees at once.
#[test]
fn every_set_of_xmssmt() {
    for set in stateful().filter(|set| set.scheme == Scheme::XmssMt) {
        let mut ends = boundaries(set);
        if !set.name.contains("SHA2") || set.n != 32 {
            ends.drain(..ends.len() - 1);
        }
        ends.into_iter().for_each(|end| assert_even(set, end));
    }
}

/// Two levels with every pair of heights, with leaves of equal cost, and with the most and the
/// least expensive leaves combined; then some sets by wolfSSL's names.
#[test]
fn levels_of_hss() {
    let heights = [5, 10, 15, 20, 25];
    for (high, low) in heights.into_iter().flat_map(|high| heights.map(|low| (high, low))) {
        for (above, below) in [(8, 1), (1, 8), (2, 2), (4, 4)] {
            let name = format!("HSS(L1_H{high}_W{above},L1_H{low}_W{below})");
            let set = Set::named(&name).unwrap();
            boundaries(set).into_iter().for_each(|end| assert_even(set, end));
        }
    }
    for name in ["L3_H5_W4", "L4_H5_W8", "L3_H10_W4", "L4_H10_W4", "L3_H15_W2"] {
        let set = Set::named(name).unwrap();
        boundaries(set).into_iter().for_each(|end| assert_even(set, end));
    }
}
