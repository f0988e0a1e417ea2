//! Keys of one tree, or of several layers of trees: RFC 8391, section 4.2 (XMSS^MT: Multi-Tree XMSS)
//! and RFC 8554, section 6 (Hierarchical Signatures).
//!
//! Each layer holds the tree in use and makes the one that follows a leaf at a time. What a layer
//! signs is the tree below, once: its root, in HSS its public key. That signature is kept, never
//! computed again while the tree is in use.
//!
//! Besides the path in the lowest tree, a signature does an equal share of the work to come, in
//! this order: the lowest tree that follows, its voucher, and then the same of the layers above. The
//! share ([`pace`]) is what all of it comes to over one lowest tree. It is taken in
//! whole leaves of the lowest tree, and a few chains at a time of layers whose leaves cost more.

use crate::Error;
use crate::key::key_trees::Forest;
use crate::key::next_tree::Seedling;
use crate::key::signature::Layout;
use crate::key::upper_signature::{self, Voucher};
use crate::one_time::Secrets;
use crate::one_time::partial_chains::leaf_cost;
use crate::params::{Scheme, Set};
use crate::scrub;
use crate::tree::traversal::Traversal;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Makes the secret tree of a layer, 0 the lowest, and a number.
pub type Trees<'k> = Arc<dyn Fn(u32, u64) -> Arc<dyn Secrets<'k> + 'k> + Send + Sync + 'k>;

/// A tree that can be signed with.
pub struct Grown<'k> {
    pub number: u64,
    pub tree: Arc<dyn Secrets<'k> + 'k>,
    pub traversal: Traversal,
}

impl Grown<'_> {
    /// What the layer above signs of this tree.
    pub fn statement(&self) -> Vec<u8> {
        self.tree.public().statement(self.traversal.root())
    }
}

/// The tree that follows.
enum Next<'k> {
    Growing(Seedling<'k>),
    /// Whole, and its voucher as far as it is made.
    Grown(Grown<'k>, Option<Voucher>),
    Signed(Grown<'k>, Vec<u8>),
}

struct Layer<'k> {
    now: Grown<'k>,
    /// Its [`voucher`] by the layer above; empty at the top.
    upper: Vec<u8>,
    next: Option<Next<'k>>,
}

/// A key of several layers.
pub struct Multi<'k> {
    set: &'static Set,
    trees: Trees<'k>,
    layers: Vec<Layer<'k>>,
    layout: Layout,
    /// What the next signature may do more, or has to do less, in parts of a step.
    credit: i64,
    turns: u64,
}

/// Parts of a step: over 2^25 signatures, a pace rounded to whole steps would be far ahead.
const STEP: u64 = 1 << 16;

/// In a lowest tree of so many leaves, or more, a sixteenth of them is left at its end without work.
const MOST_IDLE: u64 = 1 << 10;

/// The number of a tree that is not there.
const NONE: u64 = u64::MAX;

impl<'k> Multi<'k> {
    /// The key whose trees in use are `grown`, lowest first. `uppers` are vouchers for them
    /// that were kept, lowest first; an empty one is made. `nexts` are trees that follow, as far as
    /// they are made.
    ///
    /// # Errors
    /// [`Error::BadCache`] if a tree does not stand on its leaves or the highest not lead to `root`.
    pub fn new(
        set: &'static Set,
        trees: Trees<'k>,
        grown: Vec<Grown<'k>>,
        uppers: Vec<Vec<u8>>,
        nexts: Vec<(u32, Seedling<'k>)>,
        root: &[u8],
    ) -> Result<Box<Self>, Error> {
        grown.iter().try_for_each(|g| g.traversal.check())?;
        if grown.last().is_none_or(|top| top.traversal.root() != root) {
            return Err(Error::BadCache);
        }
        let layer = |(now, upper)| Layer { now, upper, next: None };
        let layers = grown.into_iter().zip(uppers).map(layer).collect();
        let mut multi = Self { set, trees, layers, layout: Layout::of(set), credit: 0, turns: 0 };
        for layer in 0..multi.layers.len() - 1 {
            if multi.layers[layer].upper.is_empty() {
                multi.sign_layer(layer);
                multi.turns += 1;
            } else {
                multi.check_layer(layer)?;
            }
            multi.sow(layer);
        }
        nexts.into_iter().for_each(|(layer, next)| multi.plant(layer as usize, next));
        Ok(Box::new(multi))
    }

    /// The number of the tree of `layer` that index `index` uses.
    fn number(&self, layer: usize, index: u64) -> u64 {
        (0..=layer as u32).fold(index, |below, layer| self.set.place_in(layer, below).0)
    }

    /// The tree above tree `number` of `layer`, and the leaf that signs it.
    fn above(&self, layer: usize, number: u64) -> (u64, u32) {
        self.set.place_in(layer as u32 + 1, number)
    }

    /// Signs the tree in use in `layer` with the tree in use above it.
    fn sign_layer(&mut self, layer: usize) {
        let (_, leaf) = self.above(layer, self.layers[layer].now.number);
        let statement = self.layers[layer].now.statement();
        self.layers[layer].upper =
            upper_signature::sign(&mut self.layers[layer + 1].now, leaf, statement);
    }

    /// Whether the kept voucher for the tree in `layer` leads to the root above.
    fn check_layer(&self, layer: usize) -> Result<(), Error> {
        let Layer { now, upper, .. } = &self.layers[layer];
        let (_, leaf) = self.above(layer, now.number);
        let good =
            upper_signature::verify(&self.layers[layer + 1].now, leaf, &now.statement(), upper);
        if good { Ok(()) } else { Err(Error::BadCache) }
    }

    /// Begins the tree that follows in `layer`, if one does and its secrets are at hand.
    fn sow(&mut self, layer: usize) {
        let (number, at) = (self.layers[layer].now.number + 1, layer as u32);
        let tree = (number < self.set.trees(at)).then(|| (self.trees)(at, number));
        let tree = tree.filter(|tree| tree.has(0));
        self.layers[layer].next = tree.map(|tree| Next::Growing(Seedling::new(tree, number)));
    }

    /// Puts what was made earlier in the place of the tree that follows in `layer`, if it is that one.
    fn plant(&mut self, layer: usize, next: Seedling<'k>) {
        let place = &mut self.layers[layer].next;
        if matches!(place, Some(Next::Growing(sown)) if sown.number() == next.number()) {
            *place = Some(match next.missing() {
                0 => Next::Grown(next.finish(), None),
                _ => Next::Growing(next),
            });
        }
    }

    /// Makes the trees of `index` those in use, the highest first.
    fn enter(&mut self, index: u64) {
        for layer in (0..self.layers.len() - 1).rev() {
            let number = self.number(layer, index);
            if self.layers[layer].now.number != number {
                self.turn(layer, number);
            }
        }
    }

    /// Puts tree `number` of `layer` into use: the one that was made for it, if there is one.
    fn turn(&mut self, layer: usize, number: u64) {
        scrub::deep(|| self.turn_now(layer, number));
    }

    fn turn_now(&mut self, layer: usize, number: u64) {
        let seedling = || Seedling::new((self.trees)(layer as u32, number), number);
        let (now, upper) = match self.layers[layer].next.take() {
            Some(Next::Signed(next, upper)) if next.number == number => (next, upper),
            Some(Next::Grown(next, _)) if next.number == number => (next, Vec::new()),
            Some(Next::Growing(next)) if next.number() == number => (next.finish(), Vec::new()),
            _ => (seedling().finish(), Vec::new()),
        };
        self.turns += 1;
        let unsigned = upper.is_empty();
        (self.layers[layer].now, self.layers[layer].upper) = (now, upper);
        if unsigned {
            self.sign_layer(layer);
        }
        self.sow(layer);
    }

    /// One signature's share of the trees that follow.
    fn work(&mut self, index: u64) {
        let left = (1 << self.set.tree_height()) - u64::from(self.set.place(index).1);
        let owed = STEP * self.owed();
        let share = pace(self.set).max(owed.div_ceil(left.saturating_sub(1).max(1)));
        self.credit += share as i64;
        self.spend();
    }

    /// Does as much of the work to come as the credit goes.
    fn spend(&mut self) {
        while self.credit > 0 && (0..self.layers.len() - 1).any(|layer| self.task(layer)) {}
        self.credit = self.credit.min(0);
    }

    /// Whole steps that may be done now.
    const fn budget(&self) -> u64 {
        self.credit as u64 / STEP
    }

    fn pay(&mut self, steps: u64) {
        self.credit -= (STEP * steps) as i64;
    }

    /// What the lowest tree that follows still asks for before it is used, in steps.
    fn owed(&self) -> u64 {
        let voucher = if self.set.d > 1 { 2 * leaf_cost(self.set.layer(1)) } else { 0 };
        match &self.layers[0].next {
            Some(Next::Growing(next)) => next.missing() * leaf_cost(self.set.layer(0)) + voucher,
            Some(Next::Grown(..)) => voucher,
            _ => 0,
        }
    }

    /// A part of what the tree that follows in `layer` takes; whether there was one to do.
    fn task(&mut self, layer: usize) -> bool {
        let next = &mut self.layers[layer].next;
        match next.take() {
            Some(Next::Growing(seedling)) => self.grow(layer, seedling),
            Some(Next::Grown(grown, voucher)) => return self.vouch(layer, grown, voucher),
            other => {
                *next = other;
                return false;
            }
        }
        true
    }

    /// A leaf, or as much of one as the credit goes.
    fn grow(&mut self, layer: usize, mut seedling: Seedling<'k>) {
        let [own, lowest] = [layer as u32, 0].map(|layer| leaf_cost(self.set.layer(layer)));
        let cost = if own <= lowest {
            seedling.grow(1);
            own
        } else {
            seedling.nibble(self.budget())
        };
        self.pay(cost);
        self.layers[layer].next = Some(match seedling.missing() {
            0 => Next::Grown(seedling.finish(), None),
            _ => Next::Growing(seedling),
        });
    }

    /// A part of the voucher for the tree that follows in `layer`, if the tree that gives it is
    /// there.
    fn vouch(&mut self, layer: usize, next: Grown<'k>, voucher: Option<Voucher>) -> bool {
        let ((above, leaf), budget) = (self.above(layer, next.number), self.budget());
        let signer = match &mut self.layers[layer + 1] {
            Layer { now, .. } if now.number == above => Some(now),
            Layer { next: Some(Next::Grown(up, _) | Next::Signed(up, _)), .. } => Some(up),
            _ => None,
        };
        let Some(signer) = signer.filter(|signer| signer.number == above) else {
            self.layers[layer].next = Some(Next::Grown(next, voucher));
            return false;
        };
        let (voucher, cost) = match voucher {
            Some(mut voucher) => {
                let cost = voucher.advance(signer, budget);
                (voucher, cost)
            }
            None => {
                let voucher = Voucher::new(signer, leaf, next.statement());
                let cost = voucher.begun();
                (voucher, cost)
            }
        };
        self.layers[layer].next = Some(match voucher.is_done() {
            true => Next::Signed(next, voucher.finish(signer)),
            false => Next::Grown(next, Some(voucher)),
        });
        self.pay(cost);
        true
    }

    /// Nspk and the signed public keys, the highest first.
    fn write_front(&self, front: &mut [u8]) {
        let (number, mut rest) = front.split_at_mut(4);
        number.copy_from_slice(&(self.set.d - 1).to_be_bytes());
        for layer in self.layers[..self.layers.len() - 1].iter().rev() {
            let place;
            (place, rest) = rest.split_at_mut(layer.upper.len());
            place.copy_from_slice(&layer.upper);
        }
    }
}

/// What all layers ask for over one lowest tree, by each signature but a few; in parts of a step.
fn pace(set: &Set) -> u64 {
    let (mut turns, d) = (1u64, set.d);
    let lowest = 1 << set.tree_height();
    let mut work = lowest * leaf_cost(set.layer(0));
    for layer in 1..d {
        let leaves = if layer + 1 < d { 3 } else { 2 };
        work += (leaves * leaf_cost(set.layer(layer))).div_ceil(turns);
        turns = turns.saturating_mul(1 << set.layer(layer).tree_height());
    }
    (STEP * work).div_ceil(lowest - 1 - lowest.min(MOST_IDLE) / 16)
}

impl<'k> Forest<'k> for Multi<'k> {
    fn tree(&mut self, index: u64) -> (Arc<dyn Secrets<'k> + 'k>, u32) {
        self.enter(index);
        (self.layers[0].now.tree.clone(), self.set.place(index).1)
    }

    fn has(&self, index: u64) -> bool {
        let (number, leaf) = self.set.place(index);
        let now = &self.layers[0].now;
        if now.number == number {
            return now.tree.has(leaf);
        }
        scrub::deep(|| (self.trees)(0, number).has(leaf))
    }

    fn frame(&mut self, index: u64, signature: &mut [u8]) {
        self.enter(index);
        let leaf = self.set.place(index).1;
        let lowest = &mut self.layers[0].now;
        let mut above = Vec::with_capacity(self.layout.len - self.layout.path);
        lowest.traversal.path(&*lowest.tree, leaf, &mut above);
        match self.set.scheme {
            Scheme::Hss { .. } => self.write_front(&mut signature[..self.layout.front]),
            _ => self.layers.iter().for_each(|layer| above.extend(&layer.upper)),
        }
        signature[self.layout.path..].copy_from_slice(&above);
        self.work(index);
    }

    /// For each layer: its tree's number, the row at the cut, the voucher for it.
    fn cache(&self) -> Vec<u8> {
        let layer =
            |l: &Layer<'_>| [&l.now.number.to_be_bytes(), l.now.traversal.row(), &l.upper].concat();
        self.layers.iter().flat_map(layer).collect()
    }

    fn leaves(&self) -> Vec<u8> {
        self.layers.iter().flat_map(|l| l.now.traversal.leaves()).collect()
    }

    /// For each layer but the highest: the number of the tree that follows, and of the nodes what
    /// [`Seedling::resume`] takes.
    fn growth(&self) -> Vec<u8> {
        let number = |number: u64| number.to_be_bytes().to_vec();
        let layer = |layer: &Layer<'_>| match &layer.next {
            None => number(NONE),
            Some(Next::Growing(next)) => [number(next.number()), next.kept()].concat(),
            Some(Next::Grown(next, _) | Next::Signed(next, _)) => {
                let (leaves, nodes) = (1u64 << next.tree.height(), &next.traversal);
                let done = leaves.to_be_bytes();
                [&number(next.number), &done[..], nodes.row(), nodes.low_row()].concat()
            }
        };
        self.layers[..self.layers.len() - 1].iter().flat_map(layer).collect()
    }

    fn turns(&self) -> u64 {
        self.turns
    }

    fn bytes(&self) -> usize {
        self.layers.iter().map(|l| 2 * l.now.traversal.bytes() + l.upper.len()).sum()
    }
}

#[cfg(all(test, feature = "std"))]
mod even;
