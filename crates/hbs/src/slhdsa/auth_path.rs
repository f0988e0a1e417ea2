//! Computing roots from leaves and paths, for many trees at once, so that lanes stay full.

use super::address::Head;
use super::hashes::Hashes;
use alloc::vec;

/// Hashes from `nodes`, one for each tree, along their authentication paths to the roots.
///
/// `index[t]` is the index of the leaf in tree t, and `path(t)` its authentication path.
/// `head(t, height, index)` is the address of a node.
pub(super) fn follow_auth_paths<'p>(
    hashes: &Hashes<'_>,
    height: u32,
    nodes: &mut [u8],
    index: &[u32],
    path: impl Fn(usize) -> &'p [u8],
    head: impl Fn(usize, u32, u32) -> Head,
) {
    let n = hashes.set.n;
    let mut pairs = vec![0; 2 * nodes.len()];
    let mut heads = vec![[0; 32]; index.len()];
    for z in 0..height {
        for (t, (pair, node)) in
            pairs.chunks_exact_mut(2 * n).zip(nodes.chunks_exact(n)).enumerate()
        {
            let sibling = &path(t)[z as usize * n..][..n];
            let (left, right) = pair.split_at_mut(n);
            let right_child = index[t] >> z & 1 == 1;
            let (own, other) = if right_child { (right, left) } else { (left, right) };
            own.copy_from_slice(node);
            other.copy_from_slice(sibling);
            heads[t] = head(t, z + 1, index[t] >> (z + 1));
        }
        hashes.wide(&heads, &pairs, nodes);
    }
}
