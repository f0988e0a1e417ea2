//! The identity's signature of a session tree, as contained in an announcement.
//!
//! Under HSS these are the signed public keys before a message's own signature: RFC 8554, section
//! 6.2 (Signature Generation). Under XMSS and XMSS^MT it is the tree's public key, and a signature
//! of that key with a prefix that is used for nothing else.

use crate::Refusal;
use crate::format::Announced;
use alloc::vec::Vec;
use hasten_hbs::{LeafVerifier, PublicKey, Set, Verifier, params::Scheme};
use hasten_kernels::Kernels;

/// Prefix of the session tree's public key in the bytes that an identity of XMSS or XMSS^MT signs.
pub(crate) const TREE_PREFIX: &[u8; 20] = b"hasten channel tree\x01";

/// The identity, prepared for verifying its signatures of session trees with the levels above them.
pub(crate) struct Identity<'k> {
    key: PublicKey,
    above: Verifier<'k>,
    kernels: Kernels<'k>,
}

/// A tree and the identity's signature of it, parsed but not verified.
pub(crate) struct SignedKeys<'d> {
    /// Index of the identity, over all its levels.
    pub number: u64,
    /// The public key of the session tree.
    pub tree: PublicKey,
    /// Signature by the identity; under HSS without its first number.
    pub signature: &'d [u8],
    /// All bytes before the leaves.
    pub front: &'d [u8],
    /// The announced leaves of the tree, if there are any. They are not checked.
    pub leaves: Option<&'d [u8]>,
    tree_bytes: &'d [u8],
}

/// Returns true if `key` is of XMSS or XMSS^MT.
pub(crate) const fn is_xmss(key: &PublicKey) -> bool {
    matches!(key.set().scheme, Scheme::Xmss | Scheme::XmssMt)
}

/// Returns true if `key` can be the key of an identity: an HSS key with more than one level, or an
/// XMSS or XMSS^MT key.
fn can_sign_trees(key: &PublicKey) -> bool {
    is_xmss(key) || key.levels().is_some_and(|levels| levels > 1)
}

impl<'d> SignedKeys<'d> {
    /// Parses the announced keys of a tree of `identity`. Hashes nothing. Lengths and numbers are
    /// checked against known sets.
    pub fn read(identity: &PublicKey, announced: &Announced<'d>) -> Option<Self> {
        let (mut keys, rest) = match announced.is_xmss {
            true if is_xmss(identity) => Self::of_xmss(identity.set(), announced.keys)?,
            false if !is_xmss(identity) => Self::of_levels(identity, announced.keys)?,
            _ => return None,
        };
        keys.leaves = announced.has_leaves.then_some(rest);
        let leaves = match announced.has_leaves {
            true => LeafVerifier::leaves_bytes(keys.tree.set())?,
            false => 0,
        };
        (keys.number == announced.tree && rest.len() == leaves).then_some(keys)
    }

    /// Returns the keys, and the bytes after them.
    fn of_levels(identity: &PublicKey, whole: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let (signed, signature) = whole.split_first_chunk()?;
        let levels = identity.levels().filter(|levels| *levels > 1)?;
        if u32::from_be_bytes(*signed) != levels - 1 {
            return None;
        }
        let (mut set, mut rest, mut number) = (identity.set(), signature, 0u64);
        let mut tree_bytes: &[u8] = &[];
        for _ in 1..levels {
            let (made, behind) = rest.split_at_checked(set.signature_bytes())?;
            let q = u32::from_be_bytes(*made.first_chunk()?);
            number = number.checked_mul(set.capacity())?.checked_add(q.into())?;
            set = Set::lms_by_types(behind.first_chunk()?).ok()?;
            (tree_bytes, rest) = behind.split_at_checked(set.public_key_bytes())?;
        }
        let tree = PublicKey::from_lms_bytes(tree_bytes).ok()?;
        let front = &whole[..whole.len() - rest.len()];
        let signature = &front[4..front.len() - tree_bytes.len()];
        Some((Self { number, tree, signature, front, leaves: None, tree_bytes }, rest))
    }

    fn of_xmss(identity: &Set, whole: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let set = Set::lms_by_types(whole.first_chunk()?).ok()?;
        let (tree_bytes, behind) = whole.split_at_checked(set.public_key_bytes())?;
        let tree = PublicKey::from_lms_bytes(tree_bytes).ok()?;
        let (signature, rest) = behind.split_at_checked(identity.signature_bytes())?;
        let index = signature.get(..identity.index_bytes())?;
        let number = index.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let front = &whole[..whole.len() - rest.len()];
        Some((Self { number, tree, signature, front, leaves: None, tree_bytes }, rest))
    }

    /// Returns the bytes that an identity of XMSS or XMSS^MT has signed.
    pub fn statement(&self) -> Vec<u8> {
        [TREE_PREFIX, self.tree_bytes].concat()
    }
}

impl<'k> Identity<'k> {
    /// Returns the identity with the public key `key`; `None` if that key cannot sign session
    /// trees.
    pub fn new(key: &PublicKey, kernels: Kernels<'k>) -> Option<Self> {
        let above = match key.levels() {
            _ if !can_sign_trees(key) => return None,
            None => Ok(key.clone()),
            Some(2) => PublicKey::from_lms_bytes(&key.as_bytes()[4..]),
            Some(levels) => PublicKey::from_hss_bytes(
                &[&(levels - 1).to_be_bytes(), &key.as_bytes()[4..]].concat(),
            ),
        };
        let (key, above) = (key.clone(), Verifier::new(&above.ok()?, kernels));
        Some(Self { key, above, kernels })
    }

    /// Returns the public key.
    pub const fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns the kernels that it uses for hashing.
    pub const fn kernels(&self) -> Kernels<'k> {
        self.kernels
    }

    /// Checks that the identity has signed the tree's public key.
    pub fn verify(&self, keys: &SignedKeys<'_>) -> Result<(), Refusal> {
        let done = match self.key.levels() {
            None => self.above.verify(&keys.statement(), keys.signature),
            Some(2) => self.above.verify(keys.tree_bytes, keys.signature),
            Some(levels) => {
                let signature = [&(levels - 2).to_be_bytes(), keys.signature].concat();
                self.above.verify(keys.tree_bytes, &signature)
            }
        };
        done.map_err(|_| Refusal::BadSignature)
    }
}

#[cfg(all(test, feature = "publish"))]
mod tests {
    #[test]
    fn both_sides_put_the_same_words_before_a_tree() {
        assert_eq!(super::TREE_PREFIX, hasten_keys::stateful::TREE_PREFIX);
    }
}
