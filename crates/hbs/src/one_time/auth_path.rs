//! Authentication paths: from chain values to the root, the public half of every verification.

use crate::one_time::OneTime;
use crate::one_time::digits::{MOST_CHAINS, digits};
use crate::tree::Position;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hasten_kernels::chain::Span;

/// Rows that were prepared for one leaf, and its chains. All of them are public.
pub(crate) struct LeafRows {
    pub spans: Vec<Span>,
    pub chains: Vec<u8>,
    pub leaf: Vec<u8>,
    pub path: Vec<u8>,
}

impl LeafRows {
    /// Returns all rows that verifying a signature of `leaf` can use.
    pub fn all(tree: &dyn OneTime<'_>, leaf: u32) -> Self {
        let Self { leaf: rows, path, .. } = Self::tree(tree, leaf);
        Self { spans: tree.spans(leaf), chains: tree.chain_rows(leaf), leaf: rows, path }
    }

    /// Returns the rows from the chain ends up.
    pub fn tree(tree: &dyn OneTime<'_>, leaf: u32) -> Self {
        let path = tree.node_rows(&path_positions(tree, leaf));
        Self { spans: Vec::new(), chains: Vec::new(), leaf: tree.leaf_rows(&[leaf]), path }
    }
}

/// Returns the positions above `leaf`, lowest first, the root last.
fn path_positions(tree: &dyn OneTime<'_>, leaf: u32) -> Vec<Position> {
    (1..=tree.height()).map(|height| Position { height, index: leaf >> height }).collect()
}

/// Returns the chain ends that a one-time signature of `digest` leads to, over the chains `spans`
/// of its leaf: RFC 8391, Algorithm 6 (WOTS_pkFromSig).
pub(crate) fn chain_ends(
    tree: &dyn OneTime<'_>,
    rows: Option<&[u8]>,
    spans: &mut [Span],
    digest: &[u8],
    ots: &[u8],
) -> Vec<u8> {
    let set = tree.set();
    let mut steps = [0; MOST_CHAINS];
    digits(set, digest, &mut steps[..set.len()]);
    let last = set.w() as u32 - 1;
    for (span, step) in spans.iter_mut().zip(steps) {
        (span.from, span.steps) = (step.into(), last - u32::from(step));
    }
    let mut values = ots.to_vec();
    tree.chains(rows, spans, &mut values);
    values
}

/// Hashes from a leaf along its authentication path and returns the root.
///
/// Calls `see` with the height and the pair of nodes of each level, left node first, before the
/// pair is hashed; `see` may stop it. The pairs stay in `pairs`, 2n bytes for each level.
pub(crate) fn follow_auth_path<B>(
    tree: &dyn OneTime<'_>,
    rows: &[u8],
    leaf: u32,
    mut node: Vec<u8>,
    (path, pairs): (&[u8], &mut [u8]),
    see: &mut dyn FnMut(u32, &[u8]) -> ControlFlow<B>,
) -> ControlFlow<B, Vec<u8>> {
    let n = tree.n();
    let row_len = rows.len() / tree.height().max(1) as usize;
    let levels = path.chunks_exact(n).zip(pairs.chunks_exact_mut(2 * n));
    for (level, (sibling, pair)) in (0..).zip(levels) {
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

/// Returns the root that a one-time signature of `digest` and the path behind it lead to.
pub(crate) fn root_of(
    tree: &dyn OneTime<'_>,
    leaf: u32,
    digest: &[u8],
    (ots, path): (&[u8], &[u8]),
) -> Vec<u8> {
    let mut node = chain_ends(tree, None, &mut tree.spans(leaf), digest, ots);
    let rows = LeafRows::tree(tree, leaf);
    tree.compress(&rows.leaf, &[leaf], &mut node);
    let mut pass = |_, _: &[u8]| ControlFlow::<core::convert::Infallible>::Continue(());
    let mut pairs = vec![0; 2 * path.len()];
    let ControlFlow::Continue(root) =
        follow_auth_path(tree, &rows.path, leaf, node, (path, &mut pairs), &mut pass);
    root
}
