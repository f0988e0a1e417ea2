//! The trees of a key: which tree signs an index, and everything in a signature that does not
//! depend on the message.

use crate::Error;
use crate::onetime::Secrets;
use crate::signature::Layout;
use crate::traversal::Traversal;
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
    /// The key with this tree, whose root is to be `root`.
    ///
    /// # Errors
    /// [`Error::BadCache`] if it is not, or does not stand on the tree's leaves.
    pub fn new(
        tree: Arc<dyn Secrets<'k> + 'k>,
        traversal: Traversal,
        root: &[u8],
    ) -> Result<Box<Self>, Error> {
        let set = tree.public().set();
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
