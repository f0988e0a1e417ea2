//! WOTS+, the trees and the hypertree: FIPS 205, Algorithm 12 (ht_sign), and the algorithms it
//! uses.
//!
//! All trees of a signature are known once its digest is known. Therefore the trees of all layers
//! are computed together, and then the one-time signatures of their roots. Differs: the standard
//! builds one layer after another.

use super::address::{Head, KeyPair, Tree, WotsHash, WotsPk};
use super::auth_path::follow_auth_paths;
use super::hashes::Hashes;
use crate::one_time::digits::digits;
use crate::tree::Place;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::chain::Span;

/// Returns the one-time keys of a signature, one for each layer; `key` is the one of layer 0.
pub(super) fn layers(hashes: &Hashes<'_>, key: KeyPair) -> Vec<KeyPair> {
    let height = hashes.set.tree_height();
    let up = |below: &KeyPair| {
        let place = Place { layer: below.place.layer + 1, tree: below.place.tree >> height };
        Some(KeyPair { place, leaf: (below.place.tree & ((1 << height) - 1)) as u32 })
    };
    core::iter::successors(Some(key), up).take(hashes.set.d as usize).collect()
}

/// Returns the address of a node of the tree that contains `key`.
pub(super) fn node(hashes: &Hashes<'_>, key: KeyPair, height: u32, index: u32) -> Head {
    hashes.form.head(Tree { place: key.place, height, index })
}

/// Returns one span for each chain of `key`.
fn spans(hashes: &Hashes<'_>, key: KeyPair, steps: u32) -> impl Iterator<Item = Span> {
    let chain = move |chain| hashes.form.head(WotsHash { key, chain });
    (0..hashes.set.len() as u32).map(move |i| Span { head: chain(i), from: 0, steps, row: 0 })
}

/// Computes T_len over the chain ends of each key.
fn compress(hashes: &Hashes<'_>, keys: &[KeyPair], ends: &[u8]) -> Vec<u8> {
    let heads: Vec<Head> = keys.iter().map(|key| hashes.form.head(WotsPk { key: *key })).collect();
    let mut leaves = vec![0; keys.len() * hashes.set.n];
    hashes.wide(&heads, ends, &mut leaves);
    leaves
}

/// Computes FIPS 205, Algorithm 8 (wots_pkFromSig), for many signatures of one layer.
fn leaves_from_signatures(
    hashes: &Hashes<'_>,
    keys: &[KeyPair],
    messages: &[u8],
    signatures: &[&[u8]],
) -> Vec<u8> {
    let set = hashes.set;
    let mut all = Vec::with_capacity(keys.len() * set.len());
    let mut steps = vec![0; set.len()];
    for (key, message) in keys.iter().zip(messages.chunks_exact(set.n)) {
        digits(set, message, &mut steps);
        let left = set.w() as u32 - 1;
        all.extend(spans(hashes, *key, 0).zip(&steps).map(|(span, digit)| {
            let from = u32::from(*digit);
            Span { from, steps: left - from, ..span }
        }));
    }
    let mut values: Vec<u8> =
        signatures.iter().flat_map(|s| &s[..set.ots_bytes()]).copied().collect();
    hashes.chains(&all, &mut values);
    compress(hashes, keys, &values)
}

/// Computes FIPS 205, Algorithm 13 (ht_verify), for many signatures. Returns the root that each
/// leads to.
pub(super) fn roots(
    hashes: &Hashes<'_>,
    keys: &[KeyPair],
    mut messages: Vec<u8>,
    signatures: &[&[u8]],
) -> Vec<u8> {
    let set = hashes.set;
    let ladders: Vec<Vec<KeyPair>> = keys.iter().map(|key| layers(hashes, *key)).collect();
    let each = set.ots_bytes() + set.path_bytes();
    for layer in 0..set.d as usize {
        let keys: Vec<KeyPair> = ladders.iter().map(|ladder| ladder[layer]).collect();
        let parts: Vec<&[u8]> = signatures.iter().map(|s| &s[layer * each..][..each]).collect();
        messages = leaves_from_signatures(hashes, &keys, &messages, &parts);
        let index: Vec<u32> = keys.iter().map(|key| key.leaf).collect();
        let path = |t: usize| &parts[t][set.ots_bytes()..];
        let head = |t: usize, z, i| node(hashes, keys[t], z, i);
        follow_auth_paths(hashes, set.tree_height(), &mut messages, &index, path, head);
    }
    messages
}

#[cfg(feature = "sign")]
pub(super) use sign::{leaves, one_time_signatures, root, sign};

#[cfg(feature = "sign")]
mod sign {
    use super::super::address::WotsPrf;
    use super::super::tree_batch::TreeBatch;
    use super::*;
    use crate::secret::Secret;
    use crate::tree::units::all_in_order;
    use hasten_kernels::grid::{Grid, Number, Tail};

    /// Number of one-time keys processed at a time: their chain values stay in the second-level
    /// cache.
    const KEYS: usize = 64;

    /// Computes FIPS 205, Algorithm 12 (ht_sign): the parts of a signature for all layers.
    pub(in super::super) fn sign(
        hashes: &Hashes<'_>,
        (sk_seed, key): (&[u8], KeyPair),
        threads: usize,
        message: &[u8],
        signature: &mut [u8],
    ) {
        let set = hashes.set;
        let signing = layers(hashes, key);
        let batch = tree_batch(hashes, sk_seed, &signing, threads);
        let messages = core::iter::once(message).chain(batch.roots().chunks_exact(set.n));
        let elements = one_time_signatures(hashes, sk_seed, &signing, messages);
        let each = set.ots_bytes() + set.path_bytes();
        let parts = signature.chunks_exact_mut(each).zip(elements.chunks_exact(set.ots_bytes()));
        for (layer, (part, elements)) in parts.enumerate() {
            let (ots, path) = part.split_at_mut(set.ots_bytes());
            ots.copy_from_slice(elements);
            batch.path(layer, signing[layer].leaf, path);
        }
    }

    /// Computes FIPS 205, Algorithm 7 (wots_sign), for one message under each key.
    pub(in super::super) fn one_time_signatures<'m>(
        hashes: &Hashes<'_>,
        sk_seed: &[u8],
        keys: &[KeyPair],
        messages: impl Iterator<Item = &'m [u8]>,
    ) -> Secret {
        let set = hashes.set;
        let mut all = Vec::with_capacity(keys.len() * set.len());
        let mut steps = vec![0; set.len()];
        for (key, message) in keys.iter().zip(messages) {
            digits(set, message, &mut steps);
            let chains = spans(hashes, *key, 0).zip(&steps);
            all.extend(chains.map(|(span, s)| Span { steps: u32::from(*s), ..span }));
        }
        let mut values = Secret::zero(keys.len() * set.ots_bytes());
        for (key, values) in keys.iter().zip(values.chunks_exact_mut(set.ots_bytes())) {
            elements(hashes, sk_seed, *key, values);
        }
        hashes.chains(&all, &mut values);
        values
    }

    /// Returns PK.root: FIPS 205, Algorithm 9 (xmss_node) at the top.
    pub(in super::super) fn root(hashes: &Hashes<'_>, sk_seed: &[u8], threads: usize) -> Vec<u8> {
        let place = Place { layer: hashes.set.d - 1, tree: 0 };
        tree_batch(hashes, sk_seed, &[KeyPair { place, leaf: 0 }], threads).roots().to_vec()
    }

    /// Returns the trees that contain the keys in `signing`.
    fn tree_batch(
        hashes: &Hashes<'_>,
        sk_seed: &[u8],
        signing: &[KeyPair],
        threads: usize,
    ) -> TreeBatch {
        let height = hashes.set.tree_height();
        let trees = signing.iter();
        let all: Vec<KeyPair> =
            trees.flat_map(|key| (0..1 << height).map(|leaf| KeyPair { leaf, ..*key })).collect();
        let row = leaves(hashes, sk_seed, &all, threads);
        TreeBatch::over(hashes.set.n, height, row, |z, row, out| {
            let of_tree = |key| (0..1 << (height - z)).map(move |i| node(hashes, key, z, i));
            let heads: Vec<Head> = signing.iter().copied().flat_map(of_tree).collect();
            hashes.wide(&heads, row, out);
        })
    }

    /// Computes FIPS 205, Algorithm 6 (wots_pkGen), for many keys, on `threads` threads.
    pub(in super::super) fn leaves(
        hashes: &Hashes<'_>,
        sk_seed: &[u8],
        keys: &[KeyPair],
        threads: usize,
    ) -> Vec<u8> {
        let share = keys.len().div_ceil(2 * threads.max(1)).max(KEYS / 8);
        let each = if threads > 1 { KEYS.min(share) } else { KEYS };
        let chunks: Vec<&[KeyPair]> = keys.chunks(each).collect();
        let make = |unit: u32| chunk(hashes, sk_seed, chunks[unit as usize]);
        all_in_order(threads, chunks.len() as u32, &make).concat()
    }

    /// Computes the leaves for the keys that are processed at a time.
    fn chunk(hashes: &Hashes<'_>, sk_seed: &[u8], keys: &[KeyPair]) -> Vec<u8> {
        let (last, each) = (hashes.set.w() as u32 - 1, hashes.set.ots_bytes());
        let (mut values, mut done) = (Secret::zero(keys.len() * each), 0);
        for run in keys.chunk_by(|key, next| follows(*key, *next)) {
            let values = &mut values[done..done + run.len() * each];
            elements(hashes, sk_seed, run[0], values);
            let head = hashes.form.head(WotsHash { key: run[0], chain: 0 });
            hashes.walk(&grid(hashes, head, run[0]), last, values);
            done += values.len();
        }
        compress(hashes, keys, &values)
    }

    /// Returns true if `next` is the leaf after `key`.
    fn follows(key: KeyPair, next: KeyPair) -> bool {
        key.place == next.place && key.leaf + 1 == next.leaf
    }

    /// Returns the heads of all chains of one-time keys, from `key` on. `head` is the head of chain
    /// 0 of `key`.
    fn grid(hashes: &Hashes<'_>, head: Head, key: KeyPair) -> Grid {
        let at = hashes.form.step_at();
        let row = Number { at: at - 8, width: 4, first: key.leaf };
        let column = Number { at: at - 4, width: 4, first: 0 };
        Grid { head, row, column, columns: hashes.set.len() }
    }

    /// Computes the secret elements of every chain of one-time keys, from `key` on.
    fn elements(hashes: &Hashes<'_>, sk_seed: &[u8], key: KeyPair, out: &mut [u8]) {
        let head = hashes.form.head(WotsPrf { key, chain: 0 });
        hashes.narrow_grid(&grid(hashes, head, key), Tail::Same(sk_seed), out);
    }
}
