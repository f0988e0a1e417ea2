//! The nodes that earlier signatures have authenticated.
//!
//! Kept are the pairs along the path of the last leaf, one for each height: enough for leaves in
//! order to need one new level on average.

use alloc::vec;
use alloc::vec::Vec;

/// Pairs of nodes known to lead to the root.
pub(super) struct NodeCache {
    leaf: Option<u32>,
    n: usize,
    pairs: Vec<u8>,
    /// The path of that leaf.
    path: Vec<u8>,
}

impl NodeCache {
    /// Returns an empty cache for trees of this height.
    pub fn new(height: u32, n: usize) -> Self {
        let path = height as usize * n;
        Self { leaf: None, n, pairs: vec![0; 2 * path], path: vec![0; path] }
    }

    /// Tells, if the pair above `leaf` at `level` is a known one, whether `pair` is that pair, and
    /// what follows in `path` are the known nodes.
    pub fn meets(&self, level: u32, leaf: u32, pair: &[u8], path: &[u8]) -> Option<bool> {
        let last = self.leaf?;
        if last >> (level + 1) != leaf >> (level + 1) {
            return None;
        }
        let (n, level) = (self.n, level as usize);
        let above = (level + 1) * n..;
        let known = &self.pairs[level * 2 * n..][..2 * n];
        Some(known == pair && self.path[above.clone()] == path[above])
    }

    /// Takes the pairs above `leaf`, lowest first, up to where known ones were met, and its path.
    pub fn learn(&mut self, leaf: u32, pairs: &[u8], path: &[u8]) {
        let fresh = pairs.len() / 2;
        self.pairs[..pairs.len()].copy_from_slice(pairs);
        self.path[..fresh].copy_from_slice(&path[..fresh]);
        self.leaf = Some(leaf);
    }
}
