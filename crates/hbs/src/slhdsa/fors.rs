//! FORS, the forest of random subsets: FIPS 205, Algorithm 16 (fors_sign), and the algorithms it
//! uses.

#[cfg(feature = "sign")]
use super::address::ForsPrf;
use super::address::{ForsRoots, ForsTree, Head, KeyPair};
use super::auth_path::follow_auth_paths;
use super::hashes::Hashes;
use super::message::Selection;
#[cfg(feature = "sign")]
use super::tree_batch::TreeBatch;
#[cfg(feature = "sign")]
use crate::tree::units::all_in_order;
use alloc::vec;
use alloc::vec::Vec;
#[cfg(feature = "sign")]
use hasten_kernels::grid::Tail;

/// The shape of a FORS: k trees of height a.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub a: u32,
    pub k: u32,
}

/// Number of leaves in memory at a time when signing. A tree is never split.
#[cfg(feature = "sign")]
const LEAVES: u32 = 1 << 12;

impl Shape {
    /// Returns the size of a FORS signature in bytes: for each tree, a secret element and a path.
    pub const fn signature_bytes(self, n: usize) -> usize {
        (self.k * (1 + self.a)) as usize * n
    }

    /// Returns the address of a node: FIPS 205, Algorithm 15 (fors_node). Its index counts across
    /// the trees.
    fn head(self, hashes: &Hashes<'_>, key: KeyPair, tree: u32, height: u32, index: u32) -> Head {
        hashes.form.head(ForsTree { key, height, index: (tree << (self.a - height)) + index })
    }

    /// Computes FIPS 205, Algorithm 16 (fors_sign), and returns the public key as FIPS 205,
    /// Algorithm 17 (fors_pkFromSig) would.
    #[cfg(feature = "sign")]
    pub fn sign(
        self,
        hashes: &Hashes<'_>,
        secret: (&[u8], KeyPair),
        threads: usize,
        chosen: &Selection,
        signature: &mut [u8],
    ) -> Vec<u8> {
        let (n, group) = (hashes.set.n, self.group(threads));
        let make = |unit: u32| {
            let first = unit * group;
            self.sign_trees(hashes, secret, chosen, first..self.k.min(first + group))
        };
        let parts = all_in_order(threads, self.k.div_ceil(group), &make);
        let mut roots = Vec::with_capacity(self.k as usize * n);
        let each = group as usize * self.signature_bytes(n) / self.k as usize;
        for ((part, tops), place) in parts.iter().zip(signature.chunks_mut(each)) {
            place.copy_from_slice(part);
            roots.extend(tops);
        }
        self.compress(hashes, &[secret.1], &roots)
    }

    /// Returns how many trees are hashed together: as many as have [`LEAVES`] leaves, but at most
    /// an equal share for each thread.
    #[cfg(feature = "sign")]
    fn group(self, threads: usize) -> u32 {
        let share = self.k.div_ceil(u32::try_from(threads).unwrap_or(u32::MAX).max(1));
        (LEAVES >> self.a).clamp(1, share)
    }

    /// Returns the parts of the signature of these trees, and their roots.
    #[cfg(feature = "sign")]
    fn sign_trees(
        self,
        hashes: &Hashes<'_>,
        (sk_seed, key): (&[u8], KeyPair),
        chosen: &Selection,
        trees: core::ops::Range<u32>,
    ) -> (Vec<u8>, Vec<u8>) {
        let n = hashes.set.n;
        let places = trees.start << self.a..trees.end << self.a;
        let mut secrets = crate::secret::Secret::zero(places.len() * n);
        self::secrets(hashes, (sk_seed, key), places.start, &mut secrets);
        let mut leaves = vec![0; secrets.len()];
        self::leaves(hashes, key, places.start, &secrets, &mut leaves);
        let batch = TreeBatch::over(n, self.a, leaves, |z, row, out| {
            parents(hashes, key, (z, places.start >> z), row, out);
        });
        let each = (1 + self.a as usize) * n;
        let mut signature = vec![0; trees.len() * each];
        for (t, part) in signature.chunks_exact_mut(each).enumerate() {
            let index = chosen.fors(self.a, trees.start + t as u32);
            let at = ((t << self.a) + index as usize) * n;
            part[..n].copy_from_slice(&secrets[at..at + n]);
            batch.path(t, index, &mut part[n..]);
        }
        (signature, batch.roots().to_vec())
    }

    /// Computes FIPS 205, Algorithm 17 (fors_pkFromSig), for many signatures. Returns one public
    /// key for each.
    pub fn public_keys(
        self,
        hashes: &Hashes<'_>,
        keys: &[KeyPair],
        chosen: &[Selection],
        signatures: &[&[u8]],
    ) -> Vec<u8> {
        let (n, k) = (hashes.set.n, self.k as usize);
        let place = |t: usize| (t / k, (t % k) as u32);
        let index: Vec<u32> =
            (0..keys.len() * k).map(|t| chosen[place(t).0].fors(self.a, place(t).1)).collect();
        let part = |t: usize| &signatures[place(t).0][t % k * (1 + self.a as usize) * n..];
        let head = |t: usize, z, i| self.head(hashes, keys[place(t).0], place(t).1, z, i);
        let heads: Vec<Head> = index.iter().enumerate().map(|(t, i)| head(t, 0, *i)).collect();
        let elements: Vec<u8> = (0..index.len()).flat_map(|t| &part(t)[..n]).copied().collect();
        let mut nodes = vec![0; elements.len()];
        hashes.narrow(&heads, &elements, &mut nodes);
        follow_auth_paths(hashes, self.a, &mut nodes, &index, |t| &part(t)[n..], head);
        self.compress(hashes, keys, &nodes)
    }

    /// Returns T_k over the roots of each key.
    pub(super) fn compress(self, hashes: &Hashes<'_>, keys: &[KeyPair], roots: &[u8]) -> Vec<u8> {
        let heads: Vec<Head> =
            keys.iter().map(|key| hashes.form.head(ForsRoots { key: *key })).collect();
        let mut out = vec![0; keys.len() * hashes.set.n];
        hashes.wide(&heads, roots, &mut out);
        out
    }
}

/// Computes PRF: the secret elements from index `first` on.
#[cfg(feature = "sign")]
pub(super) fn secrets(
    hashes: &Hashes<'_>,
    (sk_seed, key): (&[u8], KeyPair),
    first: u32,
    out: &mut [u8],
) {
    let head = hashes.form.head(ForsPrf { key, index: first });
    hashes.narrow_line((head, first), Tail::Same(sk_seed), out);
}

/// Computes F: the leaves over secret elements from index `first` on.
#[cfg(feature = "sign")]
pub(super) fn leaves(
    hashes: &Hashes<'_>,
    key: KeyPair,
    first: u32,
    secrets: &[u8],
    out: &mut [u8],
) {
    let head = hashes.form.head(ForsTree { key, height: 0, index: first });
    hashes.narrow_line((head, first), Tail::Each(secrets), out);
}

/// Computes H: the parents from index `first` on, at `height`, of a row of nodes.
#[cfg(feature = "sign")]
pub(super) fn parents(
    hashes: &Hashes<'_>,
    key: KeyPair,
    (height, first): (u32, u32),
    row: &[u8],
    out: &mut [u8],
) {
    let head = hashes.form.head(ForsTree { key, height, index: first });
    hashes.wide_line((head, first), Tail::Each(row), out);
}
