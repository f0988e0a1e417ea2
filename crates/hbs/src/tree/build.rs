//! Key generation: the row of nodes at the cut, from all leaves, on one thread or several.
//!
//! For a subtree only the root is kept, so memory goes with the row, not with the leaves.

use crate::Error;
use crate::tree::Tree;
use crate::tree::subtree::Subtree;
use crate::tree::traversal::cut;
use crate::tree::units::in_order;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// How far key generation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Leaves done.
    pub done: u64,
    /// Leaves in all.
    pub total: u64,
}

/// The row at the cut as far as it is known: its first nodes.
pub(crate) struct Build {
    row: Vec<u8>,
    first: Option<Subtree>,
}

impl Build {
    /// Begins with the first nodes of the row, or with none.
    pub const fn from(row: Vec<u8>) -> Self {
        Self { row, first: None }
    }

    /// Returns the subtree of the first leaf, if it was made here: signing begins with it.
    pub const fn take_first(&mut self) -> Option<Subtree> {
        self.first.take()
    }

    /// Returns the nodes that are done.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Completes the row. `watch` hears of every subtree, in order, and may break off; what is
    /// done by then stays done.
    ///
    /// # Errors
    /// [`Error::Stopped`] if it did.
    pub fn run(
        &mut self,
        tree: &dyn Tree,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let done = (self.row.len() / tree.n()) as u32;
        let units = 1 << (tree.height() - cut(tree.height()));
        self.row.reserve_exact((units - done) as usize * tree.n());
        in_order(threads, done..units, &|unit| make(tree, unit), &mut |unit| {
            self.add(tree, unit, watch)
        })
    }

    /// Takes the next subtree.
    fn add(
        &mut self,
        tree: &dyn Tree,
        unit: Unit,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.row.extend(&unit.root);
        if unit.whole.is_some() {
            self.first = unit.whole;
        }
        let done = ((self.row.len() / tree.n()) as u64) << cut(tree.height());
        watch(Progress { done, total: 1 << tree.height() })
    }
}

/// Holds what is kept of a subtree: its root, and of the first all of it.
struct Unit {
    root: Vec<u8>,
    whole: Option<Subtree>,
}

fn make(tree: &dyn Tree, index: u32) -> Unit {
    let made = Subtree::of_leaves(tree, cut(tree.height()), index);
    Unit { root: made.root().to_vec(), whole: (index == 0).then_some(made) }
}
