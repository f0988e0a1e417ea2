//! The one-time signatures within a signature, one for each level. Comparing them shows an index
//! that was used twice.
//!
//! Two different signatures by one one-time key differ in their chains, and have the same path.

use super::signed_keys::walk;
use super::{Verifier, signed_keys::Front};
use crate::Error;
use crate::key::PublicKey;
use crate::key::signature::Layout;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::Kernels;

/// A one-time signature within a signature.
#[derive(Clone, Debug)]
pub struct OneTimeSignature<'s> {
    /// The level. Level 0 is the lowest one, which signs the message.
    pub level: u32,
    /// For HSS, the public key of the tree; otherwise the whole public key.
    pub tree: PublicKey,
    /// The number of the one-time key in its tree; for XMSS^MT, its number in the whole level.
    pub leaf: u64,
    /// The number of the one-time key in its whole level, if it fits into 64 bits.
    pub number: Option<u64>,
    /// The randomizer; empty in the upper levels of XMSS^MT.
    pub randomizer: &'s [u8],
    /// The values of the chains.
    pub chains: &'s [u8],
    /// The authentication path.
    pub path: &'s [u8],
    /// For an upper level of HSS, the verified public key that it signs; otherwise empty.
    pub signed_key: &'s [u8],
}

/// Returns the one-time signatures within a signature of `key`, the lowest level last.
///
/// The signed public keys of HSS are verified. The rest cannot be verified without the message;
/// only its lengths and its numbers are checked.
///
/// # Errors
/// [`Error::BadSignature`] if this cannot be a signature of the key.
pub fn one_time_signatures<'s>(
    key: &PublicKey,
    signature: &'s [u8],
    kernels: Kernels<'_>,
) -> Result<Vec<OneTimeSignature<'s>>, Error> {
    if key.levels().is_some() {
        of_hss(key, signature, kernels)
    } else {
        of_one_key(key, signature)
    }
}

fn of_hss<'s>(
    key: &PublicKey,
    whole: &'s [u8],
    kernels: Kernels<'_>,
) -> Result<Vec<OneTimeSignature<'s>>, Error> {
    let (mut found, mut number) = (Vec::new(), Some(0));
    let mut level = key.levels().unwrap_or(1);
    let mut add = |tree: &PublicKey, signature: &'s [u8], signed_key: &'s [u8]| {
        let mut parts = of_one_key(tree, signature)?;
        for part in &mut parts {
            level -= 1;
            number = below(number, tree, part.leaf);
            (part.level, part.number, part.signed_key) = (level, number, signed_key);
        }
        found.append(&mut parts);
        Ok(())
    };
    let Front { rest, lowest, .. } = walk(key, whole, &mut |above, signature, signed_key| {
        Verifier::new(above, kernels).verify(signed_key, signature)?;
        add(above, signature, signed_key)
    })?;
    add(&lowest, rest, &[])?;
    Ok(found)
}

/// Returns the number, within its level, of leaf `leaf` in the tree with number `tree`.
fn below(tree: Option<u64>, key: &PublicKey, leaf: u64) -> Option<u64> {
    tree?.checked_mul(key.set().capacity())?.checked_add(leaf)
}

/// Returns the one-time signatures for a key of one tree, or of XMSS^MT.
fn of_one_key<'s>(
    key: &PublicKey,
    signature: &'s [u8],
) -> Result<Vec<OneTimeSignature<'s>>, Error> {
    let set = key.set();
    let parts = Layout::of(set).split(signature, set.capacity())?;
    let (path, upper) = parts.path.split_at(set.path_bytes());
    let one = |level, number, chains, path| OneTimeSignature {
        level,
        tree: key.clone(),
        leaf: number,
        number: Some(number),
        randomizer: &[],
        chains,
        path,
        signed_key: &[],
    };
    let mut found =
        vec![OneTimeSignature { randomizer: parts.r, ..one(0, parts.index, parts.ots, path) }];
    let each = set.ots_bytes() + set.path_bytes();
    let mut number = parts.index;
    for (level, part) in (1..).zip(upper.chunks_exact(each)) {
        (number, _) = set.place(number);
        let (chains, path) = part.split_at(set.ots_bytes());
        found.push(one(level, number, chains, path));
    }
    found.reverse();
    Ok(found)
}
