//! Key generation: the row of nodes at the cut, from all leaves, on one thread or several.
//!
//! For a subtree only the root is kept, so memory goes with the row, not with the leaves.

use crate::Error;
#[cfg(feature = "std")]
use crate::scrub;
use crate::tree::Tree;
use crate::tree::subtree::Subtree;
use crate::tree::traversal::cut;
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
        if threads > 1 && cfg!(feature = "std") {
            return self.shared(tree, threads, done..units, watch);
        }
        (done..units).try_for_each(|unit| self.add(tree, make(tree, unit), watch))
    }

    /// Takes the next subtree.
    fn add(
        &mut self,
        tree: &dyn Tree,
        unit: Unit,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.row.extend(&unit.root);
        if unit.whole.is_some() {
            self.first = unit.whole;
        }
        let done = ((self.row.len() / tree.n()) as u64) << cut(tree.height());
        match watch(Progress { done, total: 1 << tree.height() }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Stopped),
        }
    }
}

/// Holds what is kept of a subtree: its root, and of the first all of it.
struct Unit {
    #[cfg_attr(not(feature = "std"), expect(dead_code))]
    index: u32,
    root: Vec<u8>,
    whole: Option<Subtree>,
}

fn make(tree: &dyn Tree, index: u32) -> Unit {
    let made = Subtree::of_leaves(tree, cut(tree.height()), index);
    Unit { index, root: made.root().to_vec(), whole: (index == 0).then_some(made) }
}

#[cfg(not(feature = "std"))]
impl Build {
    fn shared(
        &mut self,
        tree: &dyn Tree,
        _threads: usize,
        mut units: core::ops::Range<u32>,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        units.try_for_each(|unit| self.add(tree, make(tree, unit), watch))
    }
}

#[cfg(feature = "std")]
impl Build {
    /// Threads take the units in order; their results are put in order here.
    fn shared(
        &mut self,
        tree: &dyn Tree,
        threads: usize,
        units: core::ops::Range<u32>,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
        let next = AtomicU32::new(units.start);
        let (send, receive) = std::sync::mpsc::sync_channel(threads);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (send, next, end) = (send.clone(), &next, units.end);
                let take = move || Some(next.fetch_add(1, Relaxed)).filter(|unit| *unit < end);
                let work = move || {
                    while let Some(unit) = take() {
                        if send.send(make(tree, unit)).is_err() {
                            return;
                        }
                    }
                };
                scope.spawn(|| scrub::deep(work));
            }
            drop(send);
            self.collect(tree, units.start, receive, watch).inspect_err(|_| {
                next.store(units.end, Relaxed);
            })
        })
    }

    fn collect(
        &mut self,
        tree: &dyn Tree,
        mut next: u32,
        results: std::sync::mpsc::Receiver<Unit>,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut early = alloc::collections::BTreeMap::new();
        for made in results {
            early.insert(made.index, made);
            while let Some(made) = early.remove(&next) {
                next += 1;
                self.add(tree, made, watch)?;
            }
        }
        Ok(())
    }
}
