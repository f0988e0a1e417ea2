//! The next tree of a layer: its start, its leaves, its upper signature.

use super::{Layer, LayeredKey};
use crate::key::active_tree::ActiveTree;
use crate::key::next_tree::NextTree;
use crate::key::upper_signature::UpperSignature;
use crate::one_time::partial_chains::leaf_cost;
use alloc::vec::Vec;

/// The next tree of a layer, by its progress.
pub(super) enum Next<'k> {
    Growing(NextTree<'k>),
    /// All nodes are computed. The upper signature may be in progress.
    Whole(ActiveTree<'k>, Option<UpperSignature>),
    Signed(ActiveTree<'k>, Vec<u8>),
}

impl<'k> Next<'k> {
    fn from_tree(next: NextTree<'k>) -> Self {
        match next.missing() {
            0 => Self::Whole(next.finish(), None),
            _ => Self::Growing(next),
        }
    }
}

impl<'k> LayeredKey<'k> {
    /// Begins the next tree of `layer`, if there is one and its secrets are available.
    pub(super) fn start_next(&mut self, layer: usize) {
        let (number, at) = (self.layers[layer].now.number + 1, layer as u32);
        let tree = (number < self.set.trees(at)).then(|| (self.trees)(at, number));
        let tree = tree.filter(|tree| tree.has(0));
        self.layers[layer].next = tree.map(|tree| Next::Growing(NextTree::new(tree, number)));
    }

    /// Continues with `next`, which was begun earlier, if it is the next tree of `layer`.
    pub(super) fn restore_next(&mut self, layer: usize, next: NextTree<'k>) {
        let place = &mut self.layers[layer].next;
        if matches!(place, Some(Next::Growing(begun)) if begun.number() == next.number()) {
            *place = Some(Next::from_tree(next));
        }
    }

    /// Does the next pending piece of work for the next tree of `layer`. Returns false if nothing
    /// is pending.
    pub(super) fn advance_next(&mut self, layer: usize) -> bool {
        let next = &mut self.layers[layer].next;
        match next.take() {
            Some(Next::Growing(tree)) => self.advance_tree(layer, tree),
            Some(Next::Whole(tree, upper)) => return self.advance_upper(layer, tree, upper),
            other => {
                *next = other;
                return false;
            }
        }
        true
    }

    /// Adds a leaf to `next`, or as much of a leaf as the budget allows.
    fn advance_tree(&mut self, layer: usize, mut next: NextTree<'k>) {
        let [own, lowest] = [layer as u32, 0].map(|layer| leaf_cost(self.set.layer(layer)));
        let cost = if own <= lowest {
            next.grow(1);
            own
        } else {
            next.advance_leaf(self.budget())
        };
        self.pay(cost);
        self.layers[layer].next = Some(Next::from_tree(next));
    }

    /// Computes a part of the upper signature of `next`. Returns false if the tree that signs it is
    /// not complete yet.
    fn advance_upper(
        &mut self,
        layer: usize,
        next: ActiveTree<'k>,
        upper: Option<UpperSignature>,
    ) -> bool {
        let ((above, leaf), budget) = (self.above(layer, next.number), self.budget());
        let signer = match &mut self.layers[layer + 1] {
            Layer { now, .. } if now.number == above => Some(now),
            Layer { next: Some(Next::Whole(up, _) | Next::Signed(up, _)), .. } => Some(up),
            _ => None,
        };
        let Some(signer) = signer.filter(|signer| signer.number == above) else {
            self.layers[layer].next = Some(Next::Whole(next, upper));
            return false;
        };
        let (upper, cost) = match upper {
            Some(mut upper) => {
                let cost = upper.advance(signer, budget);
                (upper, cost)
            }
            None => {
                let upper = UpperSignature::new(signer, leaf, next.statement());
                let cost = upper.begun();
                (upper, cost)
            }
        };
        self.layers[layer].next = Some(match upper.is_done() {
            true => Next::Signed(next, upper.finish(signer)),
            false => Next::Whole(next, Some(upper)),
        });
        self.pay(cost);
        true
    }
}
