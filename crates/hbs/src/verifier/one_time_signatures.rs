//! The one-time signatures of which a signature consists, one for each level: who looks for an
//! index that was used twice compares them.
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
    /// Its level, 0 the lowest, which signs the message.
    pub level: u32,
    /// The public key of its tree, for HSS; otherwise the key itself.
    pub tree: PublicKey,
    /// The number of its one-time key in the tree; for XMSS^MT within its whole level.
    pub leaf: u64,
    /// The number of its one-time key within its whole level, where 64 bits hold it.
    pub number: Option<u64>,
    /// The randomizer; none in the upper levels of XMSS^MT.
    pub randomizer: &'s [u8],
    /// The values of the chains.
    pub chains: &'s [u8],
    /// The authentication path.
    pub path: &'s [u8],
    /// The public key that an upper level of HSS signs, which was verified; otherwise nothing.
    pub signed_key: &'s [u8],
}

/// Returns the one-time signatures within a signature of `key`, the lowest level last.
///
/// The signed public keys of HSS are verified. All else needs the message, and is verified in no
/// part: it has the lengths and the numbers that signatures of the key have.
///
/// # Errors
/// [`Error::BadSignature`] if the signature cannot be one of the key.
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

/// Returns the number of leaf `leaf` of a tree that is itself number `tree` of its level.
fn below(tree: Option<u64>, key: &PublicKey, leaf: u64) -> Option<u64> {
    tree?.checked_mul(key.set().capacity())?.checked_add(leaf)
}

/// Returns those of a key of one tree, or of XMSS^MT.
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
