//! A tree that is made a few leaves at a time.

use crate::multi::Grown;
use crate::onetime::Secrets;
use crate::slow::Slow;
use crate::subtree::{Growing, Subtree};
use crate::traversal::{Traversal, cut};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Tree `number` of its layer, as far as it is known.
pub struct Seedling<'k> {
    number: u64,
    tree: Arc<dyn Secrets<'k> + 'k>,
    row: Vec<u8>,
    first: Option<Subtree>,
    growing: Growing,
    /// The next leaf, as far as its chains are done.
    slow: Option<Slow>,
}

impl<'k> Seedling<'k> {
    /// A tree of which nothing is known.
    pub fn new(tree: Arc<dyn Secrets<'k> + 'k>, number: u64) -> Self {
        let growing = Growing::new(tree.n(), cut(tree.height()), 0);
        Self { number, row: Vec::new(), first: None, growing, slow: None, tree }
    }

    /// The tree's number.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Leaves still missing.
    pub fn missing(&self) -> u64 {
        let done = self.row.len() / self.tree.n();
        let others = (1 << (self.tree.height() - cut(self.tree.height()))) - done as u64;
        match others {
            0 => 0,
            _ => ((others - 1) << cut(self.tree.height())) + u64::from(self.growing.missing()),
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
        self.row.extend(whole.root());
        self.first.get_or_insert(whole);
    }

    /// The whole tree, what is missing computed now.
    pub fn finish(mut self) -> Grown<'k> {
        while self.missing() > 0 {
            self.grow(self.growing.missing());
        }
        let Self { number, tree, row, first, .. } = self;
        let traversal = Traversal::new(&*tree, &row, 0, first);
        Grown { number, tree, traversal }
    }
}
