//! The interface between the preparation ladder and a scheme: one tree of one-time keys, in
//! batches.
//!
//! A scheme implements [`OneTime`] over public data and [`Secrets`] over its seeds. Signers,
//! verifiers, key generation and traversal are written once, over these traits. `rows` are the keys
//! and masks, which can be prepared from public data before hashing. A scheme without them uses
//! empty rows.

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

/// A message hash in progress.
pub trait Stream: Send {
    /// Absorbs a part of the message.
    fn update(&mut self, part: &[u8]);

    /// Writes the digest, n bytes, of the absorbed bytes followed by `tail`.
    fn finish(&self, tail: &[u8], out: &mut [u8]);
}

/// The public side of a tree of one-time keys.
pub trait OneTime<'k>: Shape {
    /// Returns the parameter set.
    fn set(&self) -> &'static Set;

    /// Returns the stack depth of the kernel, if it is known: [`Kernel::depth`].
    #[cfg(feature = "sign")]
    fn depth(&self) -> Option<usize>;

    /// Copies value `steps[i]` of chain i from a table of all chains, if the kernel has its own
    /// implementation for this. Returns false otherwise.
    #[cfg(feature = "sign")]
    fn look_up(&self, table: &[u8], steps: &[u8], out: &mut [u8]) -> bool;

    /// Returns one span for each chain of `leaf`, at step 0 and with no steps to take.
    fn spans(&self, leaf: u32) -> Vec<Span>;

    /// Advances values, n bytes for each span. If `rows` are given, they contain every step that is
    /// taken.
    fn chains(&self, rows: Option<&[u8]>, spans: &[Span], values: &mut [u8]);

    /// Advances the chains of consecutive leaves, from `first` on, from their beginning to their
    /// end.
    #[cfg(feature = "sign")]
    fn walk(&self, first: u32, values: &mut [u8]);

    /// Advances the chains of consecutive leaves, from `first` on, and keeps every value. `tables`
    /// has w values for each chain. The caller sets the first of them, the secret element.
    #[cfg(feature = "sign")]
    fn trace(&self, first: u32, tables: &mut [u8]);

    /// Writes the ends of the chains of `leaf` to `ends`, each from its own step and value. If rows
    /// are given, they contain every step. Returns false if the kernel has no own implementation
    /// for this.
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

    /// Returns the rows for the compression of the chain ends of these leaves.
    fn leaf_rows(&self, leaves: &[u32]) -> Vec<u8>;

    /// Compresses chain ends to leaves: `ends` shrinks from len * n to n bytes for each leaf. If
    /// `rows` is empty, the rows are computed when they are needed.
    fn compress(&self, rows: &[u8], leaves: &[u32], ends: &mut Vec<u8>);

    /// Returns the leaf over the chain ends of `leaf`, which are overwritten. If `rows` is empty,
    /// the rows are computed when they are needed.
    fn leaf(&self, rows: &[u8], leaf: u32, ends: &mut Vec<u8>) -> Vec<u8> {
        self.compress(rows, &[leaf], ends);
        ends.clone()
    }

    /// Compresses the chain ends of consecutive leaves, from `first` on, without rows.
    #[cfg(feature = "sign")]
    fn compress_from(&self, first: u32, leaves: usize, ends: &mut Vec<u8>);

    /// Returns the rows of the nodes at `at`.
    fn node_rows(&self, at: &[Position]) -> Vec<u8>;

    /// Hashes pairs of children, 2n bytes each, to the nodes at `at`, under their rows.
    fn join(&self, rows: &[u8], at: &[Position], pairs: &[u8], out: &mut [u8]);

    /// Replaces `node`, the leaf `leaf`, by the root that the path leads to, if the kernel has its
    /// own implementation for this. `rows` are the rows of the path, or empty. `pairs` receives the
    /// pair of each level. Returns false otherwise; `node` is then unchanged.
    fn climb(
        &self,
        _rows: &[u8],
        _leaf: u32,
        (_path, _pairs): (&[u8], &mut [u8]),
        _node: &mut [u8],
    ) -> bool {
        false
    }

    /// Returns the bytes that a tree of the layer above signs for this tree, whose root is `root`.
    #[cfg(feature = "sign")]
    fn statement(&self, root: &[u8]) -> Vec<u8>;

    /// Returns the message hash of signature `index` with randomizer `r`, just before the message.
    fn opening(&self, root: &[u8], index: u64, r: &[u8]) -> Box<dyn Stream + 'k>;

    /// Writes the message hash of a short message in one call. Returns false, with `out` unchanged,
    /// if the message is too long or the scheme does not implement this.
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

/// The secret side of a tree of one-time keys.
#[cfg(feature = "sign")]
pub trait Secrets<'k>: Tree {
    /// Returns the public side.
    fn public(&self) -> &(dyn OneTime<'k> + 'k);

    /// Writes the secret elements of `leaves`, len * n bytes for each.
    fn elements(&self, leaves: &[u32], out: &mut [u8]);

    /// Writes the randomizer of signature `index`, n bytes.
    fn randomizer(&self, index: u64, out: &mut [u8]);
}

/// A function that returns the secret tree of a layer, 0 being the lowest, with a given number.
#[cfg(feature = "sign")]
pub type Trees<'k> = Arc<dyn Fn(u32, u64) -> Arc<dyn Secrets<'k> + 'k> + Send + Sync + 'k>;

/// Number of chains computed at a time: enough to fill any lanes, few enough to stay in a cache.
#[cfg(feature = "sign")]
const BATCH: usize = 1024;

/// Computes leaves from secrets, n bytes for each: elements, chains to their ends, compression.
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

/// Splits `values`, `each` bytes for each leaf, into runs of consecutive leaves. Returns each run
/// with the number of its first leaf.
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
    /// The state after the absorbed bytes.
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
