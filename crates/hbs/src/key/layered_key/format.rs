//! The public nodes that a key is loaded from.

use super::{Layer, LayeredKey, Next};
use crate::key::upper_signature;
use crate::params::Set;
use crate::tree::traversal::cut;
use alloc::vec::Vec;

/// The tree number that marks a missing tree.
const NONE: u64 = u64::MAX;

/// Returns the size in bytes of the row of nodes at the cut of a tree.
pub const fn row_bytes(set: &Set) -> usize {
    set.n << (set.tree_height() - cut(set.tree_height()))
}

/// Returns the size in bytes of one layer in a cache.
pub fn kept_bytes(set: &Set, layer: u32) -> usize {
    let upper = if layer + 1 < set.d { upper_signature::bytes(set, layer) } else { 0 };
    8 + row_bytes(set.layer(layer)) + upper
}

impl LayeredKey<'_> {
    /// Returns for each layer the number of the tree in use, the row of nodes at its cut and its
    /// upper signature. All of these are public.
    pub fn cache(&self) -> Vec<u8> {
        let layer =
            |l: &Layer<'_>| [&l.now.number.to_be_bytes(), l.now.traversal.row(), &l.upper].concat();
        self.layers.iter().flat_map(layer).collect()
    }

    /// Returns leaves that make loading faster. They are public.
    pub fn leaves(&self) -> Vec<u8> {
        self.layers.iter().flat_map(|l| l.now.traversal.leaves()).collect()
    }

    /// Returns for each layer but the highest the number of the next tree, and the nodes that
    /// [`NextTree::resume`](crate::key::next_tree::NextTree::resume) needs.
    pub fn growth(&self) -> Vec<u8> {
        let number = |number: u64| number.to_be_bytes().to_vec();
        let layer = |layer: &Layer<'_>| match &layer.next {
            None => number(NONE),
            Some(Next::Growing(next)) => [number(next.number()), next.kept()].concat(),
            Some(Next::Whole(next, _) | Next::Signed(next, _)) => {
                let (leaves, nodes) = (1u64 << next.tree.height(), &next.traversal);
                let done = leaves.to_be_bytes();
                [&number(next.number), &done[..], nodes.row(), nodes.low_row()].concat()
            }
        };
        self.layers[..self.layers.len() - 1].iter().flat_map(layer).collect()
    }
}
