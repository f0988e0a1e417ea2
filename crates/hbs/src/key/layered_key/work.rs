//! The share of the work on the trees that follow that each signature does.
//!
//! The pending work of a key, in this order: the leaves of the lowest tree that follows, its upper
//! signature, then the same for each layer above. [`pace`] divides all of it over the signatures
//! of one lowest tree. The share is done in whole leaves of the lowest tree, and a few chains at a
//! time in layers whose leaves cost more.

use super::{LayeredKey, Next};
use crate::one_time::partial_chains::leaf_cost;
use crate::params::Set;

/// Parts of a step: over 2^25 signatures, a pace rounded to whole steps would be far ahead.
pub(super) const STEP: u64 = 1 << 16;

/// In a lowest tree of this many leaves or more, the last sixteenth of them does no work.
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

    /// Returns the whole steps that may be done now.
    pub(super) const fn budget(&self) -> u64 {
        self.credit as u64 / STEP
    }

    /// Takes `steps` from the credit.
    pub(super) fn pay(&mut self, steps: u64) {
        self.credit -= (STEP * steps) as i64;
    }

    /// Returns the steps that the lowest tree that follows still needs before it is used.
    fn owed(&self) -> u64 {
        let upper = if self.set.d > 1 { 2 * leaf_cost(self.set.layer(1)) } else { 0 };
        match &self.layers[0].next {
            Some(Next::Growing(next)) => next.missing() * leaf_cost(self.set.layer(0)) + upper,
            Some(Next::Whole(..)) => upper,
            _ => 0,
        }
    }
}

/// Returns the work of one signature, in parts of a step: the work of all layers over one lowest
/// tree, divided by its signatures except the idle ones at the end.
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
