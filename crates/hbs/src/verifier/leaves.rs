//! Verification under an LMS tree whose leaves are known: it needs no path bytes and no path
//! hashing.
//!
//! The leaves are checked once against the root. From then on, only the part of a signature before
//! its path is needed. Its one-time public key is compared with its leaf.

use crate::Error;
use crate::counted::Arc;
use crate::key::PublicKey;
use crate::key::signature::Layout;
use crate::one_time::OneTime;
use crate::one_time::auth_path::chain_ends;
use crate::params::{Scheme, Set};
use crate::tree::Position;
use crate::verifier::Verifier;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::Kernels;

/// A verifier of one LMS tree that has all its leaves, n bytes for each.
pub struct LeafVerifier<'k> {
    verifier: Verifier<'k>,
    leaves: Box<[u8]>,
}

impl<'k> LeafVerifier<'k> {
    /// Returns a verifier for `key`, after checking that the leaves lead to its root. This hashes
    /// every node above the leaves.
    ///
    /// # Errors
    /// [`Error::BadAnnouncement`] if the key is not that of a single LMS tree, or if these are not
    /// its leaves. Wrong lengths are found before anything is hashed.
    pub fn new(key: &PublicKey, leaves: &[u8], kernels: Kernels<'k>) -> Result<Self, Error> {
        let wrong = leaves.len() != Self::leaves_bytes(key.set()).unwrap_or(usize::MAX);
        if wrong || key.levels().is_some() || !matches!(key.set().scheme, Scheme::Lms { .. }) {
            return Err(Error::BadAnnouncement);
        }
        let verifier = Verifier::new(key, kernels);
        if climb(&*verifier.tree(0, 0), key.set(), leaves, |_, _| ()) != key.root() {
            return Err(Error::BadAnnouncement);
        }
        Ok(Self { verifier, leaves: leaves.into() })
    }

    /// Returns the leaves.
    pub fn leaves(&self) -> &[u8] {
        &self.leaves
    }

    /// Returns the size in bytes of all leaves of a tree of `set`, or `None` if it exceeds `usize`.
    pub fn leaves_bytes(set: &Set) -> Option<usize> {
        set.n.checked_mul(1usize.checked_shl(set.h)?)
    }

    /// Returns the size in bytes of a signature up to its path.
    pub const fn short_bytes(set: &Set) -> usize {
        Layout::of(set).path
    }

    /// Verifies `short`, the part of a signature of `message` before its path.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the signature is wrong in any way.
    pub fn verify(&self, message: &[u8], short: &[u8]) -> Result<(), Error> {
        let (set, layout) = (self.set(), &self.verifier.layout);
        if short.len() != layout.path {
            return Err(Error::BadSignature);
        }
        let mut padded = short.to_vec();
        padded.resize(layout.len, 0);
        let parts = self.verifier.split(&padded)?;
        let mut digest = [0; 64];
        let digest = &mut digest[..set.n];
        self.verifier.opening(&parts).finish(message, digest);
        let (tree, leaf) = (self.tree(), parts.index as u32);
        let mut node = chain_ends(&*tree, leaf, digest, parts.ots);
        tree.compress(&[], &[leaf], &mut node);
        let known = &self.leaves[set.n * leaf as usize..][..set.n];
        if node == known { Ok(()) } else { Err(Error::BadSignature) }
    }

    /// Returns the complete signature: `short` followed by its path, which is computed from the
    /// leaves. The signature is not verified.
    ///
    /// # Errors
    /// [`Error::BadSignature`] for a wrong length, an index past the tree or wrong typecodes.
    pub fn whole(&self, short: &[u8]) -> Result<Vec<u8>, Error> {
        let (set, layout) = (self.set(), &self.verifier.layout);
        if short.len() != layout.path {
            return Err(Error::BadSignature);
        }
        let mut signature = short.to_vec();
        signature.resize(layout.len, 0);
        let index = self.verifier.split(&signature)?.index as usize;
        signature.truncate(layout.path);
        climb(&*self.tree(), set, &self.leaves, |height, row| {
            let sibling = (index >> height) ^ 1;
            signature.extend(&row[set.n * sibling..][..set.n]);
        });
        Ok(signature)
    }

    fn set(&self) -> &'static Set {
        self.verifier.public_key().set()
    }

    fn tree(&self) -> Arc<dyn OneTime<'k> + 'k> {
        self.verifier.tree(0, 0)
    }
}

/// Calls `see` with the height and the nodes of each row below the root. Returns the root.
fn climb(
    tree: &dyn OneTime<'_>,
    set: &Set,
    leaves: &[u8],
    mut see: impl FnMut(u32, &[u8]),
) -> Vec<u8> {
    (0..set.h).fold(leaves.to_vec(), |row, height| {
        see(height, &row);
        parents(tree, height + 1, &row)
    })
}

/// Returns the nodes of `height`, computed from the row below.
fn parents(tree: &dyn OneTime<'_>, height: u32, below: &[u8]) -> Vec<u8> {
    let nodes = below.len() / tree.n() / 2;
    let at: Vec<Position> = (0..nodes as u32).map(|index| Position { height, index }).collect();
    let mut out = vec![0; below.len() / 2];
    tree.join(&[], &at, below, &mut out);
    out
}

impl core::fmt::Debug for LeafVerifier<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "LeafVerifier({:?})", self.verifier)
    }
}

#[cfg(all(test, feature = "hazmat"))]
mod tests {
    use super::*;
    use crate::hazmat::Throwaway;
    use crate::{SignerLevel, generate};

    fn set(name: &str) -> &'static Set {
        Set::named(name).unwrap()
    }

    #[test]
    fn a_signature_without_its_path_is_taken_and_made_whole() {
        for name in ["LMS_SHA256_M24_H5_W4", "LMS_SHA256_M32_H5_W8", "LMS_SHAKE_M24_H5_W2"] {
            let (set, kernels) = (set(name), Kernels::best());
            let mut signer = generate(set, &vec![3; set.seed_bytes()], kernels).unwrap();
            let (key, leaves) = (signer.public_key().clone(), signer.all_leaves());
            let verifier = LeafVerifier::new(&key, &leaves, kernels).unwrap();
            let mut permits = Throwaway::new();
            for number in 0..32 {
                let ready = signer.prepare(permits.permit(), SignerLevel::ChainTable).unwrap();
                let whole = ready.finish(&[number]).unwrap().into_bytes();
                let (short, path) = whole.split_at(LeafVerifier::short_bytes(set));
                assert_eq!(path.len(), 5 * set.n);
                assert_eq!(verifier.verify(&[number], short), Ok(()));
                assert_eq!(verifier.whole(short).as_ref(), Ok(&whole));
                assert_eq!(verifier.verify(&[number + 1], short), Err(Error::BadSignature));
                for wrong in [&whole[..], &short[1..], &[]] {
                    assert_eq!(verifier.verify(&[number], wrong), Err(Error::BadSignature));
                    assert_eq!(verifier.whole(wrong), Err(Error::BadSignature));
                }
                let mut past = short.to_vec();
                past[3] = 32;
                assert_eq!(verifier.whole(&past), Err(Error::BadSignature));
            }
        }
    }

    #[test]
    fn other_leaves_and_other_keys_are_refused() {
        let (lms, kernels) = (set("LMS_SHA256_M24_H5_W8"), Kernels::best());
        let signer = generate(lms, &vec![3; lms.seed_bytes()], kernels).unwrap();
        let (key, leaves) = (signer.public_key(), signer.all_leaves());
        let refused = |key: &PublicKey, leaves: &[u8]| {
            LeafVerifier::new(key, leaves, kernels).err() == Some(Error::BadAnnouncement)
        };
        for at in [0, 5, leaves.len() - 1] {
            let mut bad = leaves.clone();
            bad[at] ^= 1;
            assert!(refused(key, &bad) && refused(key, &leaves[..at]));
        }
        let levels = PublicKey::from_hss_bytes(&[&[0, 0, 0, 1], key.as_bytes()].concat()).unwrap();
        assert!(refused(&levels, &leaves));
        let xmss = set("XMSS-SHA2_10_192");
        let signer = generate(xmss, &vec![3; xmss.seed_bytes()], kernels).unwrap();
        assert!(refused(signer.public_key(), &signer.all_leaves()));
    }
}
