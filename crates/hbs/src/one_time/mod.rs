//! Tells what the ladder asks of a scheme: one tree of one-time keys, in batches.
//!
//! A scheme implements [`OneTime`] over public data and [`Secrets`] over its seeds; signers,
//! verifiers, key generation and traversal are written once over these. `rows` are what public
//! data can prepare ahead of hashing (keys and masks); a scheme that has none uses empty rows.

pub(crate) mod auth_path;
pub(crate) mod digits;
#[cfg(feature = "sign")]
pub(crate) mod partial_chains;

use crate::params::Set;
#[cfg(feature = "sign")]
use crate::secret::Secret;
#[cfg(feature = "sign")]
use crate::tree::Tree;
use crate::tree::{Position, Shape};
use alloc::boxed::Box;
#[cfg(feature = "sign")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use hasten_kernels::chain::Span;
use hasten_kernels::{HashFunction, Kernel, Midstate};

/// A message hash under way.
pub trait Stream: Send {
    /// Absorbs a part of the message.
    fn update(&mut self, part: &[u8]);

    /// Computes the digest, n bytes, of what was absorbed and then `tail`.
    fn finish(&self, tail: &[u8], out: &mut [u8]);
}

/// The public side of a tree of one-time keys.
pub trait OneTime<'k>: Shape {
    /// Returns the parameter set.
    fn set(&self) -> &'static Set;

    /// Returns how deep the kernel goes, if it knows: [`Kernel::depth`].
    #[cfg(feature = "sign")]
    fn depth(&self) -> Option<usize>;

    /// Copies value `steps[i]` of chain i out of a table of all chains, if the kernel has a way of
    /// its own. Returns false otherwise.
    #[cfg(feature = "sign")]
    fn look_up(&self, table: &[u8], steps: &[u8], out: &mut [u8]) -> bool;

    /// Makes one span for each chain of `leaf`, at step 0, with no steps to take yet.
    fn spans(&self, leaf: u32) -> Vec<Span>;

    /// Advances values, n bytes for each span; rows, where given, hold every step that is taken.
    fn chains(&self, rows: Option<&[u8]>, spans: &[Span], values: &mut [u8]);

    /// Advances the chains of consecutive leaves, from `first` on, from their beginning to their
    /// end.
    #[cfg(feature = "sign")]
    fn walk(&self, first: u32, values: &mut [u8]);

    /// Advances the chains of consecutive leaves, from `first` on, and keeps every value: `tables`
    /// has w values for each chain, the element first, which is given.
    #[cfg(feature = "sign")]
    fn trace(&self, first: u32, tables: &mut [u8]);

    /// Writes the ends of the chains of `leaf`, each from its own step and value, to `ends`. Rows,
    /// where given, hold every step. Returns false if the kernel has no way of its own with them.
    fn finish_chains(
        &self,
        _rows: Option<&[u8]>,
        _leaf: u32,
        (_from, _given): (&[u8], &[u8]),
        _ends: &mut Vec<u8>,
    ) -> bool {
        false
    }

    /// Returns the rows of every step of every chain of a leaf.
    fn chain_rows(&self, leaf: u32) -> Vec<u8>;

    /// Returns the rows that turning the chain ends of these leaves into leaves takes.
    fn leaf_rows(&self, leaves: &[u32]) -> Vec<u8>;

    /// Turns chain ends into leaves: `ends` shrinks from len * n to n bytes for each leaf. Without
    /// rows they are made on the way.
    fn compress(&self, rows: &[u8], leaves: &[u32], ends: &mut Vec<u8>);

    /// Returns the leaf over the chain ends of `leaf`, which are used up. Without rows they are
    /// made on the way.
    fn leaf(&self, rows: &[u8], leaf: u32, ends: &mut Vec<u8>) -> Vec<u8> {
        self.compress(rows, &[leaf], ends);
        ends.clone()
    }

    /// Does the same for consecutive leaves, from `first` on, without rows.
    #[cfg(feature = "sign")]
    fn compress_from(&self, first: u32, leaves: usize, ends: &mut Vec<u8>);

    /// Returns the rows of nodes.
    fn node_rows(&self, at: &[Position]) -> Vec<u8>;

    /// Hashes pairs of children, 2n bytes each, to the nodes at `at`, with their rows.
    fn join(&self, rows: &[u8], at: &[Position], pairs: &[u8], out: &mut [u8]);

    /// Replaces `node`, that of `leaf`, by the root that the path leads to, in a way of the
    /// kernel's own; `rows` are those of the path, or none. `pairs` gets the pair of each level.
    /// Returns false, with `node` as it was, if there is no such way.
    fn climb(
        &self,
        _rows: &[u8],
        _leaf: u32,
        (_path, _pairs): (&[u8], &mut [u8]),
        _node: &mut [u8],
    ) -> bool {
        false
    }

    /// Returns what a tree of the layer above signs of this one, whose root is `root`.
    #[cfg(feature = "sign")]
    fn statement(&self, root: &[u8]) -> Vec<u8>;

    /// Returns the message hash of signature `index` with randomizer `r`, up to the message.
    fn opening(&self, root: &[u8], index: u64, r: &[u8]) -> Box<dyn Stream + 'k>;

    /// Writes the message hash of a short message in one go. Returns false, with `out` as it was,
    /// if the message is too long, or there is no such way.
    fn digest(
        &self,
        _root: &[u8],
        (_index, _r): (u64, &[u8]),
        _message: &[u8],
        _out: &mut [u8],
    ) -> bool {
        false
    }
}

/// The secret side.
#[cfg(feature = "sign")]
pub trait Secrets<'k>: Tree {
    /// Returns the public side.
    fn public(&self) -> &(dyn OneTime<'k> + 'k);

    /// Writes the secret elements of `leaves`, len * n bytes for each.
    fn elements(&self, leaves: &[u32], out: &mut [u8]);

    /// Writes the randomizer of signature `index`, n bytes.
    fn randomizer(&self, index: u64, out: &mut [u8]);
}

/// Makes the secret tree of a layer, 0 the lowest, and a number.
#[cfg(feature = "sign")]
pub type Trees<'k> = Arc<dyn Fn(u32, u64) -> Arc<dyn Secrets<'k> + 'k> + Send + Sync + 'k>;

/// Chains computed at a time: enough to fill any lanes, little enough to stay in a cache.
#[cfg(feature = "sign")]
const BATCH: usize = 1024;

/// Leaves out of secrets, n bytes for each: elements, chains to their ends, leaves over those.
#[cfg(feature = "sign")]
pub fn leaves<'k>(secrets: &(impl Secrets<'k> + ?Sized), indices: &[u32], out: &mut [u8]) {
    let set = secrets.public().set();
    let at_a_time = (BATCH / set.len()).max(1);
    for (leaves, out) in indices.chunks(at_a_time).zip(out.chunks_mut(at_a_time * set.n)) {
        out.copy_from_slice(&leaf_batch(secrets, leaves));
    }
}

#[cfg(feature = "sign")]
fn leaf_batch<'k>(secrets: &(impl Secrets<'k> + ?Sized), leaves: &[u32]) -> Vec<u8> {
    let public = secrets.public();
    let set = public.set();
    let mut values = Secret::zero(leaves.len() * set.ots_bytes());
    secrets.elements(leaves, &mut values);
    let mut out = Vec::with_capacity(leaves.len() * set.n);
    for (first, values) in runs(leaves, &mut values, set.ots_bytes()) {
        public.walk(first, values);
        let (count, mut ends) = (values.len() / set.ots_bytes(), values.to_vec());
        public.compress_from(first, count, &mut ends);
        out.append(&mut ends);
    }
    out
}

/// Cuts values of `each` bytes for each leaf into those of consecutive leaves, with the number of
/// their first leaf.
#[cfg(feature = "sign")]
pub fn runs<'l>(
    leaves: &'l [u32],
    mut values: &'l mut [u8],
    each: usize,
) -> impl Iterator<Item = (u32, &'l mut [u8])> {
    leaves.chunk_by(|leaf, next| leaf + 1 == *next).map(move |run| {
        let (now, later) = core::mem::take(&mut values).split_at_mut(run.len() * each);
        values = later;
        (run[0], now)
    })
}

/// A message hash that is a hash function with a prefix absorbed.
pub struct Message<'k, H: HashFunction> {
    /// The kernel.
    pub kernel: &'k dyn Kernel<H>,
    /// Holds what was absorbed.
    pub state: Midstate<H>,
}

impl<H: HashFunction> Stream for Message<'_, H> {
    fn update(&mut self, part: &[u8]) {
        self.state.update(self.kernel, part);
    }

    fn finish(&self, tail: &[u8], out: &mut [u8]) {
        self.state.finish(self.kernel, tail, out);
    }
}
