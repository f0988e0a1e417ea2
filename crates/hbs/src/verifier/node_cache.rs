//! The nodes that earlier signatures have authenticated.
//!
//! Kept are the pairs along the path of the last leaf, one for each height: enough for leaves in
//! order to need one new level on average.

use alloc::vec;
use alloc::vec::Vec;

/// Pairs of nodes known to lead to the root.
pub(super) struct NodeCache {
    leaf: Option<u32>,
    height: u32,
    n: usize,
    pairs: Vec<u8>,
}

impl NodeCache {
    /// Returns an empty cache for trees of this height.
    pub fn new(height: u32, n: usize) -> Self {
        Self { leaf: None, height, n, pairs: vec![0; height as usize * 2 * n] }
    }

    /// Tells, if the pair above `leaf` at `level` is a known one, whether `pair` is that pair, and
    /// what follows in `path` are the known nodes.
    pub fn meets(&self, level: u32, leaf: u32, pair: &[u8], path: &[u8]) -> Option<bool> {
        let last = self.leaf?;
        if last >> (level + 1) != leaf >> (level + 1) {
            return None;
        }
        let n = self.n;
        let known = |at: u32| &self.pairs[at as usize * 2 * n..][..2 * n];
        let is_known = |at: u32| {
            let sibling = (leaf >> at & 1 ^ 1) as usize;
            known(at)[sibling * n..][..n] == path[at as usize * n..][..n]
        };
        Some(*known(level) == *pair && (level + 1..self.height).all(is_known))
    }

    /// Takes the pairs above `leaf`, lowest first, up to where known ones were met.
    pub fn learn(&mut self, leaf: u32, pairs: &[u8]) {
        self.pairs[..pairs.len()].copy_from_slice(pairs);
        self.leaf = Some(leaf);
    }
}
