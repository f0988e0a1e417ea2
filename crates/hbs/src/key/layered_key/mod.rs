//! The trees of a key: one tree, or several layers of trees. RFC 8391, section 4.2 (XMSS^MT:
//! Multi-Tree XMSS) and RFC 8554, section 6 (Hierarchical Signatures).
//!
//! Each layer holds the tree in use and prepares the tree that follows. A tree signs each tree
//! below it once: in XMSS^MT its root, in HSS its public key. That signature is kept and is never
//! computed again while the lower tree is in use.
//!
//! Every signature does an equal share of the work on the trees that follow: see [`work`].

mod format;
mod next;
mod work;

pub use format::{kept_bytes, row_bytes};

use super::active_tree::ActiveTree;
use super::next_tree::NextTree;
use super::signature::Layout;
use super::upper_signature;
use crate::Error;
use crate::one_time::{Secrets, Trees};
use crate::params::{Scheme, Set};
use crate::scrub;
use alloc::sync::Arc;
use alloc::vec::Vec;
use next::Next;

/// One layer of a key.
struct Layer<'k> {
    now: ActiveTree<'k>,
    /// The [`upper_signature`] of `now` by the layer above; empty at the top.
    upper: Vec<u8>,
    next: Option<Next<'k>>,
}

/// The trees of one key, the lowest layer first.
pub struct LayeredKey<'k> {
    set: &'static Set,
    trees: Trees<'k>,
    layers: Vec<Layer<'k>>,
    layout: Layout,
    /// The work that the next signature may still do, in parts of a step (see [`work`]). It is
    /// negative if the last signature did more than its share.
    credit: i64,
    turns: u64,
}

impl<'k> LayeredKey<'k> {
    /// Returns the key whose trees in use are `active`, lowest first.
    ///
    /// `uppers` are the kept upper signatures of these trees; an empty one is computed here.
    /// `nexts` are the next trees of the layers, as far as they are computed.
    ///
    /// # Errors
    /// [`Error::BadCache`] if the nodes of a tree do not match its leaves, if a kept upper
    /// signature does not verify, or if the highest tree does not have the root `root`.
    pub fn new(
        set: &'static Set,
        trees: Trees<'k>,
        active: Vec<ActiveTree<'k>>,
        uppers: Vec<Vec<u8>>,
        nexts: Vec<(u32, NextTree<'k>)>,
        root: &[u8],
    ) -> Result<Self, Error> {
        active.iter().try_for_each(|tree| tree.traversal.check())?;
        if active.last().is_none_or(|top| top.traversal.root() != root) {
            return Err(Error::BadCache);
        }
        let layer = |(now, upper)| Layer { now, upper, next: None };
        let layers = active.into_iter().zip(uppers).map(layer).collect();
        let mut key = Self { set, trees, layers, layout: Layout::of(set), credit: 0, turns: 0 };
        for layer in 0..key.layers.len() - 1 {
            if key.layers[layer].upper.is_empty() {
                key.sign_layer(layer);
                key.turns += 1;
            } else {
                key.check_layer(layer)?;
            }
            key.start_next(layer);
        }
        nexts.into_iter().for_each(|(layer, next)| key.restore_next(layer as usize, next));
        Ok(key)
    }

    /// Returns the number of the tree of `layer` that index `index` uses.
    fn number(&self, layer: usize, index: u64) -> u64 {
        (0..=layer as u32).fold(index, |below, layer| self.set.place_in(layer, below).0)
    }

    /// Returns the number of the tree above tree `number` of `layer`, and the leaf that signs it.
    fn above(&self, layer: usize, number: u64) -> (u64, u32) {
        self.set.place_in(layer as u32 + 1, number)
    }

    /// Signs the tree in use in `layer` with the tree in use above it.
    fn sign_layer(&mut self, layer: usize) {
        let (_, leaf) = self.above(layer, self.layers[layer].now.number);
        let statement = self.layers[layer].now.statement();
        let above = &mut self.layers[layer + 1].now;
        self.layers[layer].upper = upper_signature::sign(above, leaf, statement);
    }

    /// Verifies the kept upper signature of the tree in use in `layer`.
    fn check_layer(&self, layer: usize) -> Result<(), Error> {
        let Layer { now, upper, .. } = &self.layers[layer];
        let (_, leaf) = self.above(layer, now.number);
        let above = &self.layers[layer + 1].now;
        let good = upper_signature::verify(above, leaf, &now.statement(), upper);
        if good { Ok(()) } else { Err(Error::BadCache) }
    }

    /// Puts the trees of `index` into use, the highest first.
    fn enter(&mut self, index: u64) {
        for layer in (0..self.layers.len() - 1).rev() {
            let number = self.number(layer, index);
            if self.layers[layer].now.number != number {
                scrub::deep(|| self.switch_tree(layer, number));
            }
        }
    }

    /// Puts tree `number` of `layer` into use: the tree that was prepared, if it has that number.
    fn switch_tree(&mut self, layer: usize, number: u64) {
        let fresh = || NextTree::new((self.trees)(layer as u32, number), number);
        let (now, upper) = match self.layers[layer].next.take() {
            Some(Next::Signed(next, upper)) if next.number == number => (next, upper),
            Some(Next::Whole(next, _)) if next.number == number => (next, Vec::new()),
            Some(Next::Growing(next)) if next.number() == number => (next.finish(), Vec::new()),
            _ => (fresh().finish(), Vec::new()),
        };
        self.turns += 1;
        let unsigned = upper.is_empty();
        (self.layers[layer].now, self.layers[layer].upper) = (now, upper);
        if unsigned {
            self.sign_layer(layer);
        }
        self.start_next(layer);
    }

    /// Returns the tree whose one-time key signs `index`, and the leaf of that key.
    pub fn tree(&mut self, index: u64) -> (Arc<dyn Secrets<'k> + 'k>, u32) {
        self.enter(index);
        (self.layers[0].now.tree.clone(), self.set.place(index).1)
    }

    /// Returns every leaf of the lowest tree in use.
    pub fn all_leaves(&self) -> Vec<u8> {
        let lowest = &self.layers[0].now;
        lowest.traversal.all_leaves(&*lowest.tree)
    }

    /// Returns true if the secrets of `index` are available. The seed of its sector may be missing.
    pub fn has(&self, index: u64) -> bool {
        let (number, leaf) = self.set.place(index);
        let now = &self.layers[0].now;
        if now.number == number {
            return now.tree.has(leaf);
        }
        scrub::deep(|| (self.trees)(0, number).has(leaf))
    }

    /// Writes a signature of `index` except for its randomizer and its lowest one-time signature.
    /// Also does one signature's share of the work on the next trees.
    pub fn frame(&mut self, index: u64, signature: &mut [u8]) {
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

    /// Writes Nspk and the signed public keys, the highest first.
    fn write_front(&self, front: &mut [u8]) {
        let (number, mut rest) = front.split_at_mut(4);
        number.copy_from_slice(&(self.set.d - 1).to_be_bytes());
        for layer in self.layers[..self.layers.len() - 1].iter().rev() {
            let place;
            (place, rest) = rest.split_at_mut(layer.upper.len());
            place.copy_from_slice(&layer.upper);
        }
    }

    /// Returns how many trees were put into use so far.
    pub const fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the size in bytes of the nodes in memory.
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(|l| 2 * l.now.traversal.bytes() + l.upper.len()).sum()
    }
}

#[cfg(all(test, feature = "std"))]
mod tests;
