//! The interface of Merkle trees, which hash in batches. It does not depend on any scheme.

#[cfg(feature = "sign")]
pub(crate) mod build;
#[cfg(feature = "sign")]
pub(crate) mod subtree;
#[cfg(feature = "sign")]
pub(crate) mod traversal;
pub(crate) mod units;

/// The position of a node: its height above the leaves and its index in the row of that height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Height; 0 for leaves.
    pub height: u32,
    /// Index in the row, from the left.
    pub index: u32,
}

/// The tree of an address: its layer (0 is the lowest) and its number within the layer.
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
    /// Returns the size of a node in bytes.
    fn n(&self) -> usize;

    /// Returns the number of levels above the leaves.
    fn height(&self) -> u32;
}

/// A tree whose leaves can be computed, because its secrets are available. Batches keep lanes full.
#[cfg(feature = "sign")]
pub trait Tree: Shape {
    /// Computes the leaves with these indices into `out`, n bytes for each.
    fn leaves(&self, indices: &[u32], out: &mut [u8]);

    /// Hashes pairs of children, 2n bytes each, to the nodes at `at`.
    fn nodes(&self, at: &[Position], pairs: &[u8], out: &mut [u8]);

    /// Returns true if the secrets of `leaf` are available. The seed of its sector may be missing.
    fn has(&self, _leaf: u32) -> bool {
        true
    }
}
