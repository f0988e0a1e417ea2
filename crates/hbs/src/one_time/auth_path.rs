//! Authentication paths: from chain values to the root. Every verification does this; all data are
//! public.

use crate::one_time::OneTime;
use crate::one_time::digits::with_digits;
use crate::tree::Position;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hasten_kernels::chain::Span;

/// Prepared rows for one leaf: those of its chains, its compression and its path. All are public.
pub(crate) struct LeafRows {
    pub spans: Vec<Span>,
    pub chains: Vec<u8>,
    pub leaf: Vec<u8>,
    pub path: Vec<u8>,
    /// A buffer for chain ends.
    ends: Vec<u8>,
}

impl LeafRows {
    /// Returns all rows that the verification of a signature of `leaf` can use.
    pub fn all(tree: &dyn OneTime<'_>, leaf: u32) -> Self {
        let (spans, rows) = (tree.spans(leaf), tree.leaf_rows(&[leaf]));
        let (path, ends) = (path_rows(tree, leaf), vec![0; tree.set().ots_bytes()]);
        Self { spans, chains: tree.chain_rows(leaf), leaf: rows, path, ends }
    }

    /// Returns the chain ends that a one-time signature of `digest` leads to. `leaf` is the leaf of
    /// these rows. The ends are in a buffer that [`keep`](Self::keep) takes back.
    pub fn chain_ends(
        &mut self,
        tree: &dyn OneTime<'_>,
        leaf: u32,
        (digest, ots): (&[u8], &[u8]),
    ) -> Vec<u8> {
        let mut ends = core::mem::take(&mut self.ends);
        with_digits(tree.set(), digest, |steps| {
            if !tree.finish_chains(Some(&self.chains), leaf, (steps, ots), &mut ends) {
                ends.clear();
                ends.extend(ots);
                finish(tree, Some(&self.chains), (&mut self.spans, steps), &mut ends);
            }
        });
        ends
    }

    /// Takes back the buffer for chain ends.
    pub fn keep(&mut self, ends: Vec<u8>) {
        self.ends = ends;
    }
}

/// Returns the rows of the path above `leaf`, lowest first.
pub(crate) fn path_rows(tree: &dyn OneTime<'_>, leaf: u32) -> Vec<u8> {
    let position = |height| Position { height, index: leaf >> height };
    tree.node_rows(&(1..=tree.height()).map(position).collect::<Vec<_>>())
}

/// Returns the chain ends of `leaf` that a one-time signature of `digest` leads to: RFC 8391,
/// Algorithm 6 (WOTS_pkFromSig).
pub(crate) fn chain_ends(tree: &dyn OneTime<'_>, leaf: u32, digest: &[u8], ots: &[u8]) -> Vec<u8> {
    let mut ends = Vec::new();
    with_digits(tree.set(), digest, |steps| {
        if !tree.finish_chains(None, leaf, (steps, ots), &mut ends) {
            ends = ots.to_vec();
            finish(tree, None, (&mut tree.spans(leaf), steps), &mut ends);
        }
    });
    ends
}

/// Advances the chains of `spans` from `steps` to their ends.
fn finish(
    tree: &dyn OneTime<'_>,
    rows: Option<&[u8]>,
    (spans, steps): (&mut [Span], &[u8]),
    values: &mut [u8],
) {
    let last = tree.set().w() as u32 - 1;
    for (span, step) in spans.iter_mut().zip(steps) {
        (span.from, span.steps) = ((*step).into(), last - u32::from(*step));
    }
    tree.chains(rows, spans, values);
}

/// Hashes from a leaf along its authentication path and returns the root.
///
/// Calls `see` with the height and the pair of nodes of each level, left node first, before the
/// pair is hashed; `see` may stop the climb. The pairs stay in `pairs`, 2n bytes for each level.
pub(crate) fn follow_auth_path<B>(
    tree: &dyn OneTime<'_>,
    rows: &[u8],
    leaf: u32,
    mut node: Vec<u8>,
    (path, pairs): (&[u8], &mut [u8]),
    see: &mut dyn FnMut(u32, &[u8]) -> ControlFlow<B>,
) -> ControlFlow<B, Vec<u8>> {
    let n = tree.n();
    let row_len = if rows.is_empty() { 0 } else { tree.set().node_row_bytes() };
    for level in 0..tree.height() {
        let at = level as usize * n;
        let (sibling, pair) = (&path[at..][..n], &mut pairs[2 * at..][..2 * n]);
        let own = (leaf >> level & 1) as usize * n;
        pair[own..][..n].copy_from_slice(&node);
        pair[n - own..][..n].copy_from_slice(sibling);
        see(level, pair)?;
        let at = Position { height: level + 1, index: leaf >> (level + 1) };
        let row = &rows[level as usize * row_len..][..row_len];
        tree.join(row, &[at], pair, &mut node);
    }
    ControlFlow::Continue(node)
}

/// Returns the root that a one-time signature of `digest` and its authentication path lead to.
pub(crate) fn root_of(
    tree: &dyn OneTime<'_>,
    leaf: u32,
    digest: &[u8],
    (ots, path): (&[u8], &[u8]),
) -> Vec<u8> {
    let mut node = chain_ends(tree, leaf, digest, ots);
    tree.compress(&[], &[leaf], &mut node);
    let mut pairs = vec![0; 2 * path.len()];
    if tree.climb(&[], leaf, (path, &mut pairs), &mut node) {
        return node;
    }
    let mut pass = |_, _: &[u8]| ControlFlow::<core::convert::Infallible>::Continue(());
    let rows = path_rows(tree, leaf);
    let ControlFlow::Continue(root) =
        follow_auth_path(tree, &rows, leaf, node, (path, &mut pairs), &mut pass);
    root
}
