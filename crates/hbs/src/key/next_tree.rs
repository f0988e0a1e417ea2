//! A tree that is made a few leaves at a time.

use crate::key::layered_key::Grown;
use crate::one_time::Secrets;
use crate::one_time::partial_chains::Slow;
use crate::tree::Position;
use crate::tree::subtree::{Growing, Subtree};
use crate::tree::traversal::{Traversal, cut};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Tree `number` of its layer, as far as it is known.
pub struct Seedling<'k> {
    number: u64,
    tree: Arc<dyn Secrets<'k> + 'k>,
    /// What lies above the cut.
    top: Growing,
    first: Option<Subtree>,
    growing: Growing,
    /// The next leaf, as far as its chains are done.
    slow: Option<Slow>,
}

impl<'k> Seedling<'k> {
    /// A tree of which nothing is known.
    pub fn new(tree: Arc<dyn Secrets<'k> + 'k>, number: u64) -> Self {
        let (n, cut) = (tree.n(), cut(tree.height()));
        let (top, growing) = (Growing::top(n, tree.height(), cut), Growing::new(n, cut, 0));
        Self { number, top, first: None, growing, slow: None, tree }
    }

    /// Goes on from what [`kept`](Self::kept) gave, which is taken as it is, and what follows it. `None`
    /// if there is not so much, or it does not fit together.
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

    /// How many leaves are done, and the nodes from which it can go on; all of it public.
    pub fn kept(&self) -> Vec<u8> {
        let done = (1 << self.tree.height()) - self.missing();
        let first = self.first.as_ref().map_or(&[][..], Subtree::row);
        let part = if self.missing() > 0 { self.growing.leaves() } else { &[] };
        [&done.to_be_bytes(), self.top.leaves(), first, part].concat()
    }

    /// The tree's number.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Leaves still missing.
    pub fn missing(&self) -> u64 {
        match u64::from(self.top.missing()) {
            0 => 0,
            others => ((others - 1) << cut(self.tree.height())) + u64::from(self.growing.missing()),
        }
    }

    /// Does a part of the next leaf, as far as `budget` goes; what it cost, in steps.
    pub fn nibble(&mut self, budget: u64) -> u64 {
        let Some(slow) = &mut self.slow else {
            let slow = self.slow.insert(Slow::whole(&*self.tree, self.growing.next_leaf()));
            return slow.begun();
        };
        let cost = slow.advance(&*self.tree, budget);
        if let Some(whole) = self.slow.take_if(|slow| slow.is_done()) {
            self.growing.push(&*self.tree, &whole.into_leaf(&*self.tree));
            self.turn();
        }
        cost
    }

    /// Adds `count` leaves.
    pub fn grow(&mut self, mut count: u32) {
        self.slow = None;
        while count > 0 && self.missing() > 0 {
            let part = count.min(self.growing.missing());
            self.growing.grow(&*self.tree, part);
            count -= part;
            self.turn();
        }
    }

    /// Goes on to the next subtree if this one is whole.
    fn turn(&mut self) {
        if self.growing.missing() == 0 {
            self.advance();
        }
    }

    /// Takes the subtree that is whole, and begins the next.
    fn advance(&mut self) {
        let next = Growing::new(self.tree.n(), cut(self.tree.height()), self.growing.index() + 1);
        let whole = core::mem::replace(&mut self.growing, next).finish(&*self.tree);
        self.top.push(&*self.tree, whole.root());
        self.first.get_or_insert(whole);
    }

    /// The whole tree, what is missing computed now.
    pub fn finish(mut self) -> Grown<'k> {
        while self.missing() > 0 {
            self.grow(self.growing.missing());
        }
        let Self { number, tree, top, first, .. } = self;
        let top = top.finish(&*tree);
        let traversal = Traversal::under(&*tree, top, 0, first);
        Grown { number, tree, traversal }
    }
}
