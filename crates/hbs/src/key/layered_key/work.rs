//! The share of the work on the next trees that each signature does.
//!
//! The pending work of a key is done in this order: the leaves of the next lowest tree, its upper
//! signature, then the same for each layer above. [`pace`] divides all of it over the signatures of
//! one lowest tree. The work is done in whole leaves of the lowest tree. In layers whose leaves
//! cost more, it is done a few chains at a time.

use super::{LayeredKey, Next};
use crate::one_time::partial_chains::leaf_cost;
use crate::params::Set;

/// Parts of a step, the unit of the credit. A pace rounded up to whole steps would do far too much
/// work over 2^25 signatures.
pub(super) const STEP: u64 = 1 << 16;

/// Limit of the idle signatures at the end of a lowest tree: a sixteenth of its leaves do no work,
/// but at most a sixteenth of this number.
const MOST_IDLE: u64 = 1 << 10;

impl LayeredKey<'_> {
    /// Does one signature's share of the work.
    pub(super) fn work(&mut self, index: u64) {
        let left = (1 << self.set.tree_height()) - u64::from(self.set.place(index).1);
        let owed = STEP * self.owed();
        let share = pace(self.set).max(owed.div_ceil(left.saturating_sub(1).max(1)));
        self.credit += share as i64;
        self.spend();
    }

    /// Does pending work until the credit is used up.
    pub(super) fn spend(&mut self) {
        while self.credit > 0 && (0..self.layers.len() - 1).any(|layer| self.advance_next(layer)) {}
        self.credit = self.credit.min(0);
    }

    /// Returns the number of whole steps that may be done now.
    pub(super) const fn budget(&self) -> u64 {
        self.credit as u64 / STEP
    }

    /// Deducts `steps` from the credit.
    pub(super) fn pay(&mut self, steps: u64) {
        self.credit -= (STEP * steps) as i64;
    }

    /// Returns the steps that the next lowest tree still needs before it can be used.
    fn owed(&self) -> u64 {
        let upper = if self.set.d > 1 { 2 * leaf_cost(self.set.layer(1)) } else { 0 };
        match &self.layers[0].next {
            Some(Next::Growing(next)) => next.missing() * leaf_cost(self.set.layer(0)) + upper,
            Some(Next::Whole(..)) => upper,
            _ => 0,
        }
    }
}

/// Returns the work of one signature, in parts of a step: the work of all layers during one lowest
/// tree, divided by the number of its signatures without the idle ones at the end.
pub(super) fn pace(set: &Set) -> u64 {
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
