//! Key generation: the row of nodes at the cut, from all leaves, on one thread or several.
//!
//! Only the root of a subtree is kept, so the memory grows with the row, not with the number of
//! leaves.

use crate::Error;
use crate::tree::Tree;
use crate::tree::subtree::Subtree;
use crate::tree::traversal::cut;
use crate::tree::units::in_order;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The progress of key generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of finished leaves.
    pub done: u64,
    /// Number of all leaves.
    pub total: u64,
}

/// The row at the cut in progress: its first nodes.
pub(crate) struct Build {
    row: Vec<u8>,
    first: Option<Subtree>,
    /// All subtrees computed here, if all are to be kept.
    kept: Option<Vec<Subtree>>,
}

impl Build {
    /// Begins with the first nodes of the row, or with none.
    pub const fn from(row: Vec<u8>) -> Self {
        Self { row, first: None, kept: None }
    }

    /// Keeps every subtree from now on.
    pub fn keep(&mut self) {
        self.kept.get_or_insert_default();
    }

    /// Returns the kept subtrees, if none is missing.
    pub fn take_kept(&mut self) -> Option<Vec<Subtree>> {
        let kept = self.kept.take()?;
        let whole = kept.iter().map(|subtree| subtree.root().len()).sum::<usize>();
        (whole == self.row.len()).then_some(kept)
    }

    /// Returns the subtree of the first leaf, if it was computed here. Signing begins with it.
    pub const fn take_first(&mut self) -> Option<Subtree> {
        self.first.take()
    }

    /// Returns the finished nodes.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Completes the row. `watch` is called after every subtree, in order, and may stop the work.
    /// Finished nodes are kept.
    ///
    /// # Errors
    /// [`Error::Stopped`] if `watch` stopped it.
    pub fn run(
        &mut self,
        tree: &dyn Tree,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let done = (self.row.len() / tree.n()) as u32;
        let units = 1 << (tree.height() - cut(tree.height()));
        self.row.reserve_exact((units - done) as usize * tree.n());
        let all = self.kept.is_some();
        in_order(threads, done..units, &|unit| make(tree, unit, all), &mut |unit| {
            self.add(tree, unit, watch)
        })
    }

    /// Adds the next subtree.
    fn add(
        &mut self,
        tree: &dyn Tree,
        unit: Unit,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.row.extend(&unit.root);
        match (unit.whole, &mut self.kept) {
            (Some(whole), Some(kept)) => kept.push(whole),
            (Some(first), None) => self.first = Some(first),
            (None, _) => {}
        }
        let done = ((self.row.len() / tree.n()) as u64) << cut(tree.height());
        watch(Progress { done, total: 1 << tree.height() })
    }
}

/// The kept part of a subtree: its root. The whole subtree is also kept if it is the first one, or
/// if all are to be kept.
struct Unit {
    root: Vec<u8>,
    whole: Option<Subtree>,
}

fn make(tree: &dyn Tree, index: u32, all: bool) -> Unit {
    let made = Subtree::of_leaves(tree, cut(tree.height()), index);
    Unit { root: made.root().to_vec(), whole: (all || index == 0).then_some(made) }
}
