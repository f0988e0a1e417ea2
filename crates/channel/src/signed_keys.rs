//! The signed public keys before a message's own signature: RFC 8554, section 6.2 (Signature
//! Generation).

use crate::Refusal;
use alloc::vec::Vec;
use hasten_hbs::{PublicKey, Set, Verifier};
use hasten_kernels::Kernels;

/// The identity as its signatures of session trees are verified: the levels above these.
pub(crate) struct Identity<'k> {
    key: PublicKey,
    levels: u32,
    above: Verifier<'k>,
    kernels: Kernels<'k>,
}

/// The signed public keys of one tree, read and not verified.
pub(crate) struct SignedKeys<'d> {
    /// The index of the identity, over all its levels.
    pub number: u64,
    /// The public key of the session tree.
    pub tree: PublicKey,
    /// The part that is a signature of the levels above, but for its first number.
    signature: &'d [u8],
    tree_bytes: &'d [u8],
}

impl<'d> SignedKeys<'d> {
    /// Reads the signed public keys of a tree of `identity`, a key of HSS. Hashes nothing; lengths
    /// and numbers are those of known sets.
    pub fn read(identity: &PublicKey, whole: &'d [u8]) -> Option<Self> {
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
        let tree = PublicKey::from_lms_bytes(tree_bytes).ok().filter(|_| rest.is_empty())?;
        let signature = &signature[..signature.len() - tree_bytes.len()];
        Some(Self { number, tree, signature, tree_bytes })
    }
}

impl<'k> Identity<'k> {
    /// Returns the identity with the public key `key`; nothing if that has no level above another.
    pub fn new(key: &PublicKey, kernels: Kernels<'k>) -> Option<Self> {
        let levels = key.levels().filter(|levels| *levels > 1)?;
        let highest = &key.as_bytes()[4..];
        let above = match levels {
            2 => PublicKey::from_lms_bytes(highest),
            _ => PublicKey::from_hss_bytes(&[&(levels - 1).to_be_bytes(), highest].concat()),
        };
        let (key, above) = (key.clone(), Verifier::new(&above.ok()?, kernels));
        Some(Self { key, levels, above, kernels })
    }

    /// Returns the public key.
    pub const fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns the kernels it hashes with.
    pub const fn kernels(&self) -> Kernels<'k> {
        self.kernels
    }

    /// Checks whether the identity has signed the tree's public key.
    pub fn verify(&self, keys: &SignedKeys<'_>) -> Result<(), Refusal> {
        let bad = |_| Refusal::BadSignature;
        if self.levels == 2 {
            return self.above.verify(keys.tree_bytes, keys.signature).map_err(bad);
        }
        let mut signature = Vec::with_capacity(4 + keys.signature.len());
        signature.extend((self.levels - 2).to_be_bytes());
        signature.extend(keys.signature);
        self.above.verify(keys.tree_bytes, &signature).map_err(bad)
    }
}
