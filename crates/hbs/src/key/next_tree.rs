//! The next tree of a layer. It is computed a few leaves at a time.

use crate::key::active_tree::ActiveTree;
use crate::one_time::Secrets;
use crate::one_time::partial_chains::PartialChains;
use crate::tree::Position;
use crate::tree::subtree::{Growing, Subtree};
use crate::tree::traversal::{Traversal, cut};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Tree `number` of its layer, in progress.
pub struct NextTree<'k> {
    number: u64,
    tree: Arc<dyn Secrets<'k> + 'k>,
    /// The nodes above the cut.
    top: Growing,
    first: Option<Subtree>,
    growing: Growing,
    /// The next leaf, if some of its chains are done.
    chains: Option<PartialChains>,
}

impl<'k> NextTree<'k> {
    /// Begins a tree without any nodes.
    pub fn new(tree: Arc<dyn Secrets<'k> + 'k>, number: u64) -> Self {
        let (n, cut) = (tree.n(), cut(tree.height()));
        let (top, growing) = (Growing::top(n, tree.height(), cut), Growing::new(n, cut, 0));
        Self { number, top, first: None, growing, chains: None, tree }
    }

    /// Continues from the output of [`kept`](Self::kept), which is not checked. Returns the tree
    /// and the remaining bytes, or `None` if `kept` is too short or inconsistent.
    pub fn resume<'s>(
        tree: Arc<dyn Secrets<'k> + 'k>,
        number: u64,
        kept: &'s [u8],
    ) -> Option<(Self, &'s [u8])> {
        let (n, cut) = (tree.n(), cut(tree.height()));
        let (done, rest) = kept.split_first_chunk()?;
        let done = u64::from_be_bytes(*done);
        if done > 1 << tree.height() {
            return None;
        }
        let (units, leaves) = ((done >> cut) as usize, (done & ((1 << cut) - 1)) as usize);
        let (row, rest) = rest.split_at_checked(units * n)?;
        let (first, rest) = rest.split_at_checked(if units > 0 { n << cut } else { 0 })?;
        let (part, rest) = rest.split_at_checked(leaves * n)?;
        let mut new = Self::new(tree, number);
        if units > 0 {
            let base = Position { height: 0, index: 0 };
            let first = Subtree::over(&*new.tree, base, cut, first);
            new.first = Some(first).filter(|first| first.root() == &row[..n]);
            new.first.as_ref()?;
        }
        row.chunks(n).for_each(|node| new.top.push(&*new.tree, node));
        new.growing = Growing::new(n, cut, units as u32);
        part.chunks(n).for_each(|leaf| new.growing.push(&*new.tree, leaf));
        Some((new, rest))
    }

    /// Returns the number of finished leaves and the nodes to continue from. All of these are
    /// public.
    pub fn kept(&self) -> Vec<u8> {
        let done = (1 << self.tree.height()) - self.missing();
        let first = self.first.as_ref().map_or(&[][..], Subtree::row);
        let part = if self.missing() > 0 { self.growing.leaves() } else { &[] };
        [&done.to_be_bytes(), self.top.leaves(), first, part].concat()
    }

    /// Returns the number of the tree in its layer.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of leaves still missing.
    pub fn missing(&self) -> u64 {
        match u64::from(self.top.missing()) {
            0 => 0,
            others => ((others - 1) << cut(self.tree.height())) + u64::from(self.growing.missing()),
        }
    }

    /// Computes a part of the next leaf, as far as `budget` allows. Returns the number of steps
    /// done.
    pub fn advance_leaf(&mut self, budget: u64) -> u64 {
        let Some(chains) = &mut self.chains else {
            let chains =
                self.chains.insert(PartialChains::whole(&*self.tree, self.growing.next_leaf()));
            return chains.begun();
        };
        let cost = chains.advance(&*self.tree, budget);
        if let Some(whole) = self.chains.take_if(|chains| chains.is_done()) {
            self.growing.push(&*self.tree, &whole.into_leaf(&*self.tree));
            self.next_subtree();
        }
        cost
    }

    /// Adds `count` leaves.
    pub fn grow(&mut self, mut count: u32) {
        self.chains = None;
        while count > 0 && self.missing() > 0 {
            let part = count.min(self.growing.missing());
            self.growing.grow(&*self.tree, part);
            count -= part;
            self.next_subtree();
        }
    }

    /// Begins the next subtree if this one is complete.
    fn next_subtree(&mut self) {
        if self.growing.missing() == 0 {
            self.begin_subtree();
        }
    }

    /// Adds the root of the complete subtree to the top, and begins the next subtree.
    fn begin_subtree(&mut self) {
        let next = Growing::new(self.tree.n(), cut(self.tree.height()), self.growing.index() + 1);
        let whole = core::mem::replace(&mut self.growing, next).finish(&*self.tree);
        self.top.push(&*self.tree, whole.root());
        self.first.get_or_insert(whole);
    }

    /// Computes all missing leaves and returns the complete tree.
    pub fn finish(mut self) -> ActiveTree<'k> {
        while self.missing() > 0 {
            self.grow(self.growing.missing());
        }
        let Self { number, tree, top, first, .. } = self;
        let top = top.finish(&*tree);
        let traversal = Traversal::under(&*tree, top, 0, first);
        ActiveTree { number, tree, traversal }
    }
}
