//! Loading of keys from a seed and stored public nodes, for every stateful scheme.

use super::permit::Account;
use super::stateful::Signer;
use crate::Error;
use crate::key::active_tree::ActiveTree;
use crate::key::from_seed::trees;
use crate::key::layered_key::{LayeredKey, kept_bytes, row_bytes};
use crate::key::next_tree::NextTree;
use crate::key::{PublicKey, Sectors};
use crate::one_time::Trees;
use crate::params::Set;
use crate::scrub;
use crate::tree::traversal::{Leaves, Traversal};
use alloc::vec::Vec;
use hasten_kernels::Kernels;

/// Loads a key from its seed and its cache, ready to sign from the next index of `account` on.
///
/// `cache` is the output of [`Signer::to_cache`]; the output of [`Signer::to_leaves`] may follow.
///
/// # Errors
/// [`Error::BadCache`] if the nodes do not lead to the root of `public`, or do not match the leaves
/// that the seed gives near that index; [`Error::BadSeed`] if the seed is not that of this key.
pub fn load<'k>(
    public: &PublicKey,
    seed: &[u8],
    cache: &[u8],
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    load_sectors(public, &Sectors::one(seed), cache, account, kernels)
}

/// Loads a key as [`load`] does, from the seeds of the available sectors. It signs only with these.
///
/// # Errors
/// As [`load`].
pub fn load_sectors<'k>(
    public: &PublicKey,
    seeds: &Sectors<'_>,
    cache: &[u8],
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    if public.levels().is_some() {
        return Err(Error::UnknownSet);
    }
    load_levels(public.set(), public, seeds, cache, account, kernels)
}

/// Loads a key as [`load_sectors`] does, for any set. HSS needs this, because its public key does
/// not name the sets of the lower levels.
///
/// # Errors
/// As [`load`]; [`Error::BadKey`] if `public` is not of `set`.
pub fn load_levels<'k>(
    set: &'static Set,
    public: &PublicKey,
    seeds: &Sectors<'_>,
    cache: &[u8],
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    load_with_growth(set, public, seeds, (cache, &[]), account, kernels)
}

/// Loads a key as [`load_levels`] does, and continues the next trees from the output of
/// [`Signer::growth`] instead of computing them again.
///
/// `kept` is the cache and the growth. The growth is not checked: the caller must make sure that it
/// was stored without change. A growth that does not fit the key is ignored.
///
/// # Errors
/// As [`load_levels`].
pub fn load_with_growth<'k>(
    set: &'static Set,
    public: &PublicKey,
    seeds: &Sectors<'_>,
    kept: (&[u8], &[u8]),
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    let next = account.next_index();
    scrub::deep(|| load_now(set, public, seeds, kept, next, kernels))
}

fn load_now<'k>(
    set: &'static Set,
    public: &PublicKey,
    seeds: &Sectors<'_>,
    (cache, growth): (&[u8], &[u8]),
    next: u64,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    let (trees, public_seed) = seeds.trees(set, |seed| trees(set, seed, kernels))?;
    if *public != PublicKey::new(set, public.root(), public.seed()) {
        return Err(Error::BadKey);
    }
    if public_seed != public.seed() {
        return Err(Error::BadSeed);
    }
    let nodes = (0..set.d).map(|layer| kept_bytes(set, layer)).sum();
    let (cache, leaves) = cache.split_at_checked(nodes).ok_or(Error::BadCache)?;
    let leaves = read_leaves(set, leaves)?;
    let next = next.min(set.capacity());
    let index = seeds.nearest(set, next.min(set.capacity() - 1));
    let (mut rest, mut below) = (cache, index);
    let (mut active, mut uppers) = (Vec::new(), Vec::new());
    let mut nexts = next_trees(set, &trees, growth).unwrap_or_default();
    for layer in 0..set.d {
        let ((nodes, behind), place) =
            (rest.split_at(kept_bytes(set, layer)), set.place_in(layer, below));
        let made = nexts.iter().position(|(at, next)| (*at, next.number()) == (layer, place.0));
        let next = made.map(|at| nexts.swap_remove(at).1);
        let kept = Kept { nodes, leaves: leaves.get(layer as usize), next };
        let (tree, upper) = restore(set, &trees, layer, kept, place)?;
        (rest, below) = (behind, place.0);
        active.push(tree);
        uppers.push(upper);
    }
    let key = LayeredKey::new(set, trees, active, uppers, nexts, public.root())?;
    Ok(Signer::new(set, key, public.clone(), next))
}

/// Reads the next trees, each with its layer, from the output of [`Signer::growth`]. Returns `None`
/// if the bytes are not complete.
fn next_trees<'k>(
    set: &Set,
    trees: &Trees<'k>,
    mut growth: &[u8],
) -> Option<Vec<(u32, NextTree<'k>)>> {
    let mut nexts = Vec::new();
    for layer in 0..set.d - 1 {
        let (number, rest) = growth.split_first_chunk()?;
        let number = u64::from_be_bytes(*number);
        growth = rest;
        if number < set.trees(layer) {
            let (next, rest) = NextTree::resume(trees(layer, number), number, growth)?;
            growth = rest;
            nexts.push((layer, next));
        }
    }
    growth.is_empty().then_some(nexts)
}

/// The stored public nodes of one layer.
struct Kept<'l, 'k> {
    /// A tree's number, its row at the cut and its upper signature.
    nodes: &'l [u8],
    leaves: Option<&'l Leaves<'l>>,
    /// The tree to restore, if it was computed as a next tree.
    next: Option<NextTree<'k>>,
}

/// Restores tree `number` of `layer` at `leaf`, and its upper signature if that was kept. Uses the
/// kept nodes if they belong to this tree, and otherwise those computed while it was a next tree.
fn restore<'k>(
    set: &Set,
    trees: &Trees<'k>,
    layer: u32,
    kept: Kept<'_, 'k>,
    (number, leaf): (u64, u32),
) -> Result<(ActiveTree<'k>, Vec<u8>), Error> {
    let (kept_number, nodes) = kept.nodes.split_first_chunk().ok_or(Error::BadCache)?;
    let kept_number = u64::from_be_bytes(*kept_number);
    if kept_number >= set.trees(layer) {
        return Err(Error::BadCache);
    }
    let tree = trees(layer, number);
    if kept_number != number {
        let next = kept.next.unwrap_or_else(|| NextTree::new(tree, number));
        return Ok((next.finish(), Vec::new()));
    }
    let (row, upper) = nodes.split_at(row_bytes(set.layer(layer)));
    let traversal = match kept.leaves {
        Some(leaves) => Traversal::with_leaves(&*tree, row, leaf, leaves),
        None => Traversal::new(&*tree, row, leaf, None),
    };
    Ok((ActiveTree { number, tree, traversal }, upper.to_vec()))
}

/// Reads the leaves of every layer, which may follow the nodes in a cache.
fn read_leaves<'l>(set: &Set, mut bytes: &'l [u8]) -> Result<Vec<Leaves<'l>>, Error> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let layers = (0..set.d).map(|layer| set.layer(layer));
    let leaves = layers.map(|set| Leaves::read(&mut bytes, set.n, set.tree_height())).collect();
    if bytes.is_empty() { leaves } else { None }.ok_or(Error::BadCache)
}
