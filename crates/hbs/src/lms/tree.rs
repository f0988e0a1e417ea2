//! The public side of one LMS tree: RFC 8554, Algorithm 4b (Computing a Public Key Candidate Kc
//! from a Signature, Message, Signature Typecode pubtype, and Identifiers I, q), Algorithm 6a
//! (Computing an LMS Public Key Candidate from a Signature, Message, Identifier, and Algorithm
//! Typecodes), over batches.

use crate::counted::Arc;
use crate::hash::over;
use crate::one_time::{Message, OneTime, Stream};
use crate::params::domain::{D_INTR, D_LEAF, D_MESG, D_PBLC};
use crate::params::{LMS_ID_BYTES, Set};
use crate::tree::{Position, Shape};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::chain::{Rule, Span, StepField, Tweak};
#[cfg(feature = "sign")]
use hasten_kernels::grid::{Grid, Number};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate, many};
#[cfg(feature = "sign")]
use hasten_kernels::{trace, walk};

/// Size of I ‖ u32str(q) ‖ u16str(i) ‖ u8str(j), the beginning of the message of a chain step.
pub(super) const HEAD: usize = LMS_ID_BYTES + 7;

/// The public side of one tree.
pub(super) struct Public<'k, H: HashFunction> {
    pub set: &'static Set,
    pub id: [u8; LMS_ID_BYTES],
    pub kernel: &'k dyn Kernel<H>,
    pub start: Midstate<H>,
}

/// Returns the tree of `set` with identifier `id`, 16 bytes.
pub(super) fn public<'k>(
    set: &'static Set,
    id: &[u8],
    kernels: Kernels<'k>,
) -> Arc<dyn OneTime<'k> + 'k> {
    over!(set.hash, kernels, |kernel, start| Arc::new(Public::new(set, id, kernel, start)))
}

impl<'k, H: HashFunction> Public<'k, H> {
    pub fn new(
        set: &'static Set,
        id: &[u8],
        kernel: &'k dyn Kernel<H>,
        start: Midstate<H>,
    ) -> Self {
        let mut own = [0; LMS_ID_BYTES];
        own.copy_from_slice(id);
        Self { set, id: own, kernel, start }
    }

    /// Returns I ‖ u32str(number) ‖ u16str(what).
    pub fn front(&self, number: u32, what: u16) -> [u8; LMS_ID_BYTES + 6] {
        let mut front = [0; LMS_ID_BYTES + 6];
        front[..LMS_ID_BYTES].copy_from_slice(&self.id);
        front[LMS_ID_BYTES..LMS_ID_BYTES + 4].copy_from_slice(&number.to_be_bytes());
        front[LMS_ID_BYTES + 4..].copy_from_slice(&what.to_be_bytes());
        front
    }

    fn rule(&self) -> Tweak<'_, H> {
        let counter = StepField { at: HEAD - 1, width: 1 };
        Tweak { prefix: &self.start, head_len: HEAD, counter, n: self.set.n }
    }

    /// Returns the heads of the chains of consecutive leaves, from `q` on, with zeros for the step.
    #[cfg(feature = "sign")]
    pub fn chains_from(&self, q: u32) -> Grid {
        let mut head = [0; 32];
        head[..LMS_ID_BYTES + 6].copy_from_slice(&self.front(q, 0));
        let row = Number { at: LMS_ID_BYTES, width: 4, first: q };
        let column = Number { at: LMS_ID_BYTES + 4, width: 2, first: 0 };
        Grid { head, row, column, columns: self.set.len() }
    }

    /// Computes the digest of front ‖ item for every item. All items have the same length.
    fn hash_items(
        &self,
        fronts: impl Iterator<Item = [u8; LMS_ID_BYTES + 6]>,
        items: &[u8],
        out: &mut [u8],
    ) {
        let count = out.len() / self.set.n;
        if count == 0 {
            return;
        }
        let each = items.len() / count;
        let mut messages = Vec::with_capacity(items.len() + count * (LMS_ID_BYTES + 6));
        for (front, item) in fronts.zip(items.chunks_exact(each)) {
            messages.extend(front);
            messages.extend(item);
        }
        many(self.kernel, &self.start, &messages, out, self.set.n);
    }

    /// Returns the number of a node: the root is 1, its children are 2 and 3.
    fn number(&self, at: &Position) -> u32 {
        (1 << (self.set.h - at.height)) + at.index
    }
}

impl<H: HashFunction> Shape for Public<'_, H> {
    fn n(&self) -> usize {
        self.set.n
    }

    fn height(&self) -> u32 {
        self.set.h
    }
}

impl<'k, H: HashFunction> OneTime<'k> for Public<'k, H> {
    fn set(&self) -> &'static Set {
        self.set
    }

    #[cfg(feature = "sign")]
    fn depth(&self) -> Option<usize> {
        self.kernel.depth()
    }

    #[cfg(feature = "sign")]
    fn look_up(&self, table: &[u8], steps: &[u8], out: &mut [u8]) -> bool {
        self.kernel.nodes().is_some_and(|nodes| nodes.look_up(table, steps, out))
    }

    fn spans(&self, leaf: u32) -> Vec<Span> {
        let chain = |i: usize| {
            let mut head = [0; 32];
            head[..LMS_ID_BYTES + 6].copy_from_slice(&self.front(leaf, i as u16));
            Span { head, from: 0, steps: 0, row: 0 }
        };
        (0..self.set.len()).map(chain).collect()
    }

    fn chains(&self, _rows: Option<&[u8]>, spans: &[Span], values: &mut [u8]) {
        self.kernel.chains(&Rule::Tweak(self.rule()), spans, values);
    }

    #[cfg(feature = "sign")]
    fn walk(&self, first: u32, values: &mut [u8]) {
        let steps = self.set.w() as u32 - 1;
        walk(self.kernel, &Rule::Tweak(self.rule()), &self.chains_from(first), steps, values);
    }

    #[cfg(feature = "sign")]
    fn trace(&self, first: u32, tables: &mut [u8]) {
        let steps = self.set.w() as u32 - 1;
        trace(self.kernel, &Rule::Tweak(self.rule()), &self.chains_from(first), steps, tables);
    }

    fn chain_rows(&self, _leaf: u32) -> Vec<u8> {
        Vec::new()
    }

    fn leaf_rows(&self, _leaves: &[u32]) -> Vec<u8> {
        Vec::new()
    }

    /// Computes K of every one-time key, then its leaf.
    fn compress(&self, _rows: &[u8], leaves: &[u32], ends: &mut Vec<u8>) {
        let mut keys = vec![0; leaves.len() * self.set.n];
        self.hash_items(leaves.iter().map(|q| self.front(*q, D_PBLC)), ends, &mut keys);
        ends.truncate(keys.len());
        let number = |q: &u32| self.number(&Position { height: 0, index: *q });
        self.hash_items(leaves.iter().map(|q| self.front(number(q), D_LEAF)), &keys, ends);
    }

    #[cfg(feature = "sign")]
    fn compress_from(&self, first: u32, leaves: usize, ends: &mut Vec<u8>) {
        let leaves: Vec<u32> = (first..).take(leaves).collect();
        self.compress(&[], &leaves, ends);
    }

    fn node_rows(&self, _at: &[Position]) -> Vec<u8> {
        Vec::new()
    }

    fn join(&self, _rows: &[u8], at: &[Position], pairs: &[u8], out: &mut [u8]) {
        let fronts = at.iter().map(|at| self.front(self.number(at), D_INTR));
        self.hash_items(fronts, pairs, out);
    }

    /// Returns the public key, which is signed as in RFC 8554, section 6.2 (Signature Generation).
    #[cfg(feature = "sign")]
    fn statement(&self, root: &[u8]) -> Vec<u8> {
        super::encoded_key(self.set, &self.id, root)
    }

    fn opening(&self, _root: &[u8], index: u64, r: &[u8]) -> Box<dyn Stream + 'k> {
        let front = self.front(index as u32, D_MESG);
        let state = self.start.clone().with(self.kernel, &front).with(self.kernel, r);
        Box::new(Message { kernel: self.kernel, state })
    }
}
