//! A tree of one-time keys that is in use.

use crate::one_time::Secrets;
use crate::tree::traversal::Traversal;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A complete tree, and the nodes that its authentication paths need.
pub struct ActiveTree<'k> {
    pub number: u64,
    pub tree: Arc<dyn Secrets<'k> + 'k>,
    pub traversal: Traversal,
}

impl ActiveTree<'_> {
    /// Returns the bytes that the layer above signs for this tree.
    pub fn statement(&self) -> Vec<u8> {
        self.tree.public().statement(self.traversal.root())
    }
}
