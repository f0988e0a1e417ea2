//! The chains of one one-time key, advanced a few at a time. A leaf or a signature of an expensive
//! layer is thus spread over several signatures of a cheaper one. Costs are in steps of a chain; a
//! secret element counts as one step.

use crate::one_time::Secrets;
use crate::one_time::digits::{MOST_CHAINS, digits};
use crate::params::Set;
use crate::secret::Secret;
use alloc::vec::Vec;
use hasten_kernels::chain::Span;

/// Returns the cost of a leaf in steps.
pub const fn leaf_cost(set: &Set) -> u64 {
    (set.len() * set.w()) as u64
}

/// The chains of a one-time key. The first `done` of them have reached their last step.
pub struct PartialChains {
    leaf: u32,
    values: Secret,
    spans: Vec<Span>,
    done: usize,
}

impl PartialChains {
    /// Begins the chains of one-time key `leaf`, to be advanced to their ends.
    pub fn whole<'k>(tree: &(dyn Secrets<'k> + 'k), leaf: u32) -> Self {
        let end = tree.public().set().w() as u32 - 1;
        Self::new(tree, leaf, core::iter::repeat(end))
    }

    /// Begins the chains of one-time key `leaf`, to be advanced to the digits of `digest`:
    /// RFC 8554, Algorithm 3 (Generating a One-Time Signature From a Private Key and a Message),
    /// from the digest on.
    pub fn signing<'k>(tree: &(dyn Secrets<'k> + 'k), leaf: u32, digest: &[u8]) -> Self {
        let set = tree.public().set();
        let mut steps = [0; MOST_CHAINS];
        digits(set, digest, &mut steps[..set.len()]);
        Self::new(tree, leaf, steps.into_iter().map(u32::from))
    }

    fn new<'k>(tree: &(dyn Secrets<'k> + 'k), leaf: u32, steps: impl Iterator<Item = u32>) -> Self {
        let mut values = Secret::zero(tree.public().set().ots_bytes());
        tree.elements(&[leaf], &mut values);
        let mut spans = tree.public().spans(leaf);
        spans.iter_mut().zip(steps).for_each(|(span, steps)| span.steps = steps);
        Self { leaf, values, spans, done: 0 }
    }

    /// Returns the cost of beginning the chains, in steps.
    pub fn begun(&self) -> u64 {
        self.spans.len() as u64
    }

    /// Returns the number of the one-time key.
    pub const fn leaf(&self) -> u32 {
        self.leaf
    }

    /// Returns true if every chain is done.
    pub fn is_done(&self) -> bool {
        self.done == self.spans.len()
    }

    /// Advances the next chains as far as `budget` allows, and at least one. Returns the cost in
    /// steps.
    pub fn advance<'k>(&mut self, tree: &(dyn Secrets<'k> + 'k), budget: u64) -> u64 {
        let (mut cost, mut to) = (0, self.done);
        while to < self.spans.len() && (to == self.done || cost < budget) {
            cost += u64::from(self.spans[to].steps);
            to += 1;
        }
        let n = tree.public().set().n;
        let values = &mut self.values[self.done * n..to * n];
        tree.public().chains(None, &self.spans[self.done..to], values);
        self.done = to;
        cost
    }

    /// Returns the values of the chains, once all are done.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// Returns the leaf over the ends of the chains.
    pub fn into_leaf<'k>(self, tree: &(dyn Secrets<'k> + 'k)) -> Vec<u8> {
        let mut ends = self.values.to_vec();
        let public = tree.public();
        public.compress(&[], &[self.leaf], &mut ends);
        ends
    }
}
