//! WOTS+, the trees and the hypertree: FIPS 205, Algorithm 12 (ht_sign) and what it stands on.
//!
//! Every tree a signature needs is known once the digest is, so the trees of all layers are
//! computed side by side, and then the one-time signatures of their roots. Differs: the standard
//! builds layer after layer.

use super::address::{Head, KeyPair, Tree, WotsHash, WotsPk};
use super::auth_path::follow_auth_paths;
use super::hashes::Hashes;
use crate::one_time::digits::digits;
use crate::tree::Place;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::chain::Span;

/// Returns the one-time keys that sign for `key` of layer 0, one for each layer.
pub(super) fn layers(hashes: &Hashes<'_>, key: KeyPair) -> Vec<KeyPair> {
    let height = hashes.set.tree_height();
    let up = |below: &KeyPair| {
        let place = Place { layer: below.place.layer + 1, tree: below.place.tree >> height };
        Some(KeyPair { place, leaf: (below.place.tree & ((1 << height) - 1)) as u32 })
    };
    core::iter::successors(Some(key), up).take(hashes.set.d as usize).collect()
}

/// Returns the address of a node of the tree in which `key` lies.
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

/// FIPS 205, Algorithm 8 (wots_pkFromSig), for many signatures of one layer.
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

/// FIPS 205, Algorithm 13 (ht_verify), for many signatures: the root each of them leads to.
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
    use super::super::hashes::put;
    use super::super::tree_batch::TreeBatch;
    use super::*;
    use crate::secret::Secret;

    /// One-time keys in work at a time: their chain values stay in the second-level cache.
    const KEYS: usize = 64;

    /// Steps up to which chains are walked batch by batch.
    const SHORT: u32 = 7;

    /// FIPS 205, Algorithm 12 (ht_sign): all layers' parts of a signature.
    pub(in super::super) fn sign(
        hashes: &Hashes<'_>,
        (sk_seed, key): (&[u8], KeyPair),
        message: &[u8],
        signature: &mut [u8],
    ) {
        let set = hashes.set;
        let signing = layers(hashes, key);
        let batch = tree_batch(hashes, sk_seed, &signing);
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

    /// FIPS 205, Algorithm 7 (wots_sign), for one message under each key.
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
        let mut values = elements(hashes, sk_seed, keys);
        hashes.chains(&all, &mut values);
        values
    }

    /// FIPS 205, Algorithm 9 (xmss_node) at the top: PK.root.
    pub(in super::super) fn root(hashes: &Hashes<'_>, sk_seed: &[u8]) -> Vec<u8> {
        let place = Place { layer: hashes.set.d - 1, tree: 0 };
        tree_batch(hashes, sk_seed, &[KeyPair { place, leaf: 0 }]).roots().to_vec()
    }

    /// Returns the trees in which `signing` lie.
    fn tree_batch(hashes: &Hashes<'_>, sk_seed: &[u8], signing: &[KeyPair]) -> TreeBatch {
        let height = hashes.set.tree_height();
        let trees = signing.iter();
        let all: Vec<KeyPair> =
            trees.flat_map(|key| (0..1 << height).map(|leaf| KeyPair { leaf, ..*key })).collect();
        let row = leaves(hashes, sk_seed, &all);
        TreeBatch::over(hashes, height, row, |t, z, i| node(hashes, signing[t], z, i))
    }

    /// FIPS 205, Algorithm 6 (wots_pkGen), for many keys.
    pub(in super::super) fn leaves(
        hashes: &Hashes<'_>,
        sk_seed: &[u8],
        keys: &[KeyPair],
    ) -> Vec<u8> {
        let last = hashes.set.w() as u32 - 1;
        let mut out = Vec::with_capacity(keys.len() * hashes.set.n);
        for keys in keys.chunks(KEYS) {
            let mut values = elements(hashes, sk_seed, keys);
            if last <= SHORT {
                values = walked(hashes, keys, values, last);
            } else {
                let all: Vec<Span> =
                    keys.iter().flat_map(|key| spans(hashes, *key, last)).collect();
                hashes.chains(&all, &mut values);
            }
            out.extend(compress(hashes, keys, &values));
        }
        out
    }

    /// Returns the ends of all chains, step after step: where chains are short, putting them into
    /// lanes takes longer than a batch for each step.
    fn walked(hashes: &Hashes<'_>, keys: &[KeyPair], mut values: Secret, last: u32) -> Secret {
        let (n, len, form) = (hashes.set.n, hashes.set.len(), hashes.form);
        let first = |key: &KeyPair| form.head(WotsHash { key: *key, chain: 0 });
        let heads: Vec<Head> = keys.iter().map(first).collect();
        let (at, mut next) = (form.step_at(), Secret::zero(values.len()));
        let mut message = Secret::zero(at + 4 + n);
        for step in 0..last {
            message[at..at + 4].copy_from_slice(&step.to_be_bytes());
            let fill = |i: usize, message: &mut [u8]| {
                before(&heads[i / len], i % len, at, message);
                put(&mut message[at + 4..], &values[i * n..][..n]);
            };
            hashes.narrow_like(&message, fill, &mut next);
            core::mem::swap(&mut values, &mut next);
        }
        values
    }

    /// Writes an address up to its last word, with the number of a chain.
    #[inline(always)]
    fn before(head: &Head, chain: usize, at: usize, message: &mut [u8]) {
        match at {
            18 => message[..14].copy_from_slice(&head[..14]),
            _ => message[..24].copy_from_slice(&head[..24]),
        }
        message[at - 4..at].copy_from_slice(&(chain as u32).to_be_bytes());
    }

    /// Returns the secret elements of every chain of every key.
    fn elements(hashes: &Hashes<'_>, sk_seed: &[u8], keys: &[KeyPair]) -> Secret {
        let (len, form) = (hashes.set.len(), hashes.form);
        let first = |key: &KeyPair| form.head(WotsPrf { key: *key, chain: 0 });
        let heads: Vec<Head> = keys.iter().map(first).collect();
        let mut message = Secret::zero(form.len() + sk_seed.len());
        message[form.len()..].copy_from_slice(sk_seed);
        let at = form.step_at();
        let fill = |i: usize, message: &mut [u8]| before(&heads[i / len], i % len, at, message);
        let mut values = Secret::zero(keys.len() * hashes.set.ots_bytes());
        hashes.narrow_like(&message, fill, &mut values);
        values
    }
}
