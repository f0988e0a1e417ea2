//! The nodes that earlier signatures have authenticated.
//!
//! The cache has the nodes on the way from the last leaf to the root and their siblings, one pair
//! for each height. With these, leaves in order need one new level on average.

use alloc::vec;
use alloc::vec::Vec;

/// Pairs of nodes known to lead to the root.
pub(super) struct NodeCache {
    leaf: Option<u32>,
    n: usize,
    /// The nodes on the way from `leaf` to the root, lowest first.
    own: Vec<u8>,
    /// Their siblings: the authentication path of `leaf`.
    path: Vec<u8>,
}

impl NodeCache {
    /// Returns an empty cache for trees of this height.
    pub fn new(height: u32, n: usize) -> Self {
        let bytes = height as usize * n;
        Self { leaf: None, n, own: vec![0; bytes], path: vec![0; bytes] }
    }

    /// Returns true if `pair`, above `leaf` at `level`, is the known pair and the rest of `path`
    /// has the known nodes, or false if not. Returns `None` if no pair is known at this place.
    pub fn meets(&self, level: u32, leaf: u32, pair: &[u8], path: &[u8]) -> Option<bool> {
        let last = self.leaf?;
        if last >> (level + 1) != leaf >> (level + 1) {
            return None;
        }
        let (n, at) = (self.n, level as usize * self.n);
        let side = side(last, level, n);
        let is_known = pair[side..][..n] == self.own[at..][..n]
            && pair[n - side..][..n] == self.path[at..][..n];
        Some(is_known && self.path[at + n..] == path[at + n..])
    }

    /// Stores the pairs above `leaf`, lowest first, up to the known pair that was met, and the path
    /// of `leaf`. In that known pair, too, the node on the way may now be the other one.
    pub fn learn(&mut self, leaf: u32, pairs: &[u8], path: &[u8]) {
        let (n, end) = (self.n, pairs.len() / 2);
        // The loop counts bytes, because counting levels would need a division.
        let mut at = 0;
        for level in 0.. {
            if at == end {
                break;
            }
            self.own[at..][..n].copy_from_slice(&pairs[2 * at + side(leaf, level, n)..][..n]);
            at += n;
        }
        self.path[..end].copy_from_slice(&path[..end]);
        self.leaf = Some(leaf);
    }
}

/// Returns the offset in its pair of the node above `leaf` at `level`.
const fn side(leaf: u32, level: u32, n: usize) -> usize {
    (leaf >> level & 1) as usize * n
}
