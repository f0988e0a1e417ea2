//! The trees of a key: which tree signs an index, and everything in a signature that does not
//! depend on the message.

use crate::Error;
use crate::onetime::Secrets;
use crate::signature::Layout;
use crate::traversal::{Traversal, cut};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The trees of one key.
pub trait Forest<'k>: Send {
    /// The tree whose one-time key signs `index`, and which of its leaves.
    fn tree(&mut self, index: u64) -> (Arc<dyn Secrets<'k> + 'k>, u32);

    /// Writes a signature of `index` but for its randomizer and its lowest one-time signature,
    /// and does one signature's share of the work for those to come.
    fn frame(&mut self, index: u64, signature: &mut [u8]);

    /// Public data from which the forest can be made again.
    fn cache(&self) -> Vec<u8>;

    /// Bytes of nodes held.
    fn bytes(&self) -> usize;
}

/// A key of one tree.
pub struct Single<'k> {
    tree: Arc<dyn Secrets<'k> + 'k>,
    traversal: Traversal,
    layout: Layout,
    path: Vec<u8>,
}

impl<'k> Single<'k> {
    /// The key whose nodes at the cut are `row`, ready for `index`.
    ///
    /// # Errors
    /// [`Error::BadCache`] if the row has the wrong length or does not lead to `root`.
    pub fn new(
        tree: Arc<dyn Secrets<'k> + 'k>,
        row: &[u8],
        root: &[u8],
        index: u64,
    ) -> Result<Box<Self>, Error> {
        let set = tree.public().set();
        let cut = cut(set.tree_height());
        if row.len() != set.n << (set.tree_height() - cut) {
            return Err(Error::BadCache);
        }
        let leaf = index.min(set.capacity() - 1) as u32;
        let traversal = Traversal::new(&*tree, row, cut, leaf);
        traversal.check()?;
        if traversal.root() != root {
            return Err(Error::BadCache);
        }
        let layout = Layout::of(set);
        Ok(Box::new(Self { tree, traversal, layout, path: Vec::with_capacity(set.path_bytes()) }))
    }
}

impl<'k> Forest<'k> for Single<'k> {
    fn tree(&mut self, index: u64) -> (Arc<dyn Secrets<'k> + 'k>, u32) {
        (self.tree.clone(), index as u32)
    }

    fn frame(&mut self, index: u64, signature: &mut [u8]) {
        self.path.clear();
        self.traversal.path(&*self.tree, index as u32, &mut self.path);
        signature[self.layout.path..].copy_from_slice(&self.path);
    }

    fn cache(&self) -> Vec<u8> {
        self.traversal.row().to_vec()
    }

    fn bytes(&self) -> usize {
        self.traversal.bytes()
    }
}
