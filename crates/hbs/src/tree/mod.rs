//! Tells what a Merkle tree must be able to hash, in batches. Nothing here knows a scheme.

#[cfg(feature = "sign")]
pub(crate) mod build;
#[cfg(feature = "sign")]
pub(crate) mod subtree;
#[cfg(feature = "sign")]
pub(crate) mod traversal;
pub(crate) mod units;

/// Where a node is: its height over the leaves and its place in the row of that height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 0 for leaves.
    pub height: u32,
    /// Place in the row, from the left.
    pub index: u32,
}

/// The tree an address lies in: its layer (0 at the bottom) and its place within the layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Layer address.
    pub layer: u32,
    /// Tree address.
    pub tree: u64,
}

impl Place {
    /// Returns the bytes that every address of the tree begins with.
    pub fn to_bytes(self) -> [u8; 12] {
        let mut out = [0; 12];
        out[..4].copy_from_slice(&self.layer.to_be_bytes());
        out[4..].copy_from_slice(&self.tree.to_be_bytes());
        out
    }
}

/// The size of a tree and of its nodes.
pub trait Shape: Send + Sync {
    /// Returns the bytes of a node.
    fn n(&self) -> usize;

    /// Levels above the leaves.
    fn height(&self) -> u32;
}

/// A tree whose leaves can be computed: its holder has the secrets. Batches keep lanes full.
#[cfg(feature = "sign")]
pub trait Tree: Shape {
    /// Computes leaves: `out` takes n bytes for each.
    fn leaves(&self, indices: &[u32], out: &mut [u8]);

    /// Hashes pairs of children, 2n bytes each, to the nodes at `at`.
    fn nodes(&self, at: &[Position], pairs: &[u8], out: &mut [u8]);

    /// Returns whether the secrets of `leaf` are at hand: not so in a sector that lies elsewhere.
    fn has(&self, _leaf: u32) -> bool {
        true
    }
}
