//! What the ladder asks of a scheme: one tree of one-time keys, in batches.
//!
//! A scheme implements [`OneTime`] over public data and [`Secrets`] over its seeds; signers,
//! verifiers, key generation and traversal are written once over these. `rows` are what public
//! data can prepare ahead of hashing (keys and masks); a scheme that has none uses empty rows.

#[cfg(feature = "sign")]
use crate::merkle::Tree;
use crate::merkle::{Position, Shape};
use crate::params::Set;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hasten_kernels::chain::Span;

/// A message hash under way.
pub trait Stream: Send {
    /// Absorbs a part of the message.
    fn update(&mut self, part: &[u8]);

    /// The digest, n bytes, of what was absorbed and then `tail`.
    fn finish(&self, tail: &[u8], out: &mut [u8]);
}

/// The public side of a tree of one-time keys.
pub trait OneTime<'k>: Shape {
    /// The parameter set.
    fn set(&self) -> &'static Set;

    /// One span for each chain of `leaf`, at step 0, with no steps to take yet.
    fn spans(&self, leaf: u32) -> Vec<Span>;

    /// Advances values, n bytes for each span; rows, where given, hold every step that is taken.
    fn chains(&self, rows: Option<&[u8]>, spans: &[Span], values: &mut [u8]);

    /// The rows of every step of every chain of a leaf.
    fn chain_rows(&self, leaf: u32) -> Vec<u8>;

    /// The rows that turning the chain ends of these leaves into leaves takes.
    fn leaf_rows(&self, leaves: &[u32]) -> Vec<u8>;

    /// Turns chain ends into leaves: `ends` shrinks from len * n to n bytes for each leaf.
    fn compress(&self, rows: &[u8], leaves: &[u32], ends: &mut Vec<u8>);

    /// The rows of nodes.
    fn node_rows(&self, at: &[Position]) -> Vec<u8>;

    /// Hashes pairs of children, 2n bytes each, to the nodes at `at`, with their rows.
    fn join(&self, rows: &[u8], at: &[Position], pairs: &[u8], out: &mut [u8]);

    /// The message hash of signature `index` with randomizer `r`, up to the message.
    fn opening(&self, root: &[u8], index: u64, r: &[u8]) -> Box<dyn Stream + 'k>;
}

/// The secret side.
#[cfg(feature = "sign")]
pub trait Secrets<'k>: Tree {
    /// The public side.
    fn public(&self) -> &(dyn OneTime<'k> + 'k);

    /// Writes the secret elements of `leaf`, len * n bytes.
    fn elements(&self, leaf: u32, out: &mut [u8]);

    /// Writes the randomizer of signature `index`, n bytes.
    fn randomizer(&self, index: u64, out: &mut [u8]);
}
