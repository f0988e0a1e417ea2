//! Verification down to the lowest tree: RFC 8554, section 6.3 (Signature Verification).

use crate::Error;
use crate::key::PublicKey;
use crate::params::Set;
use crate::verifier::Verifier;
use hasten_kernels::Kernels;

/// An HSS signature or announcement, split before the signature of its lowest tree.
pub(crate) struct Front<'s> {
    /// The bytes: Nspk and the signed public keys.
    pub bytes: &'s [u8],
    /// The signature of the lowest tree.
    pub rest: &'s [u8],
    /// The number of the lowest tree in its layer, at most `u64::MAX`.
    pub number: u64,
    /// The public key of the lowest tree.
    pub lowest: PublicKey,
}

/// A callback for every level but the lowest, with its key, its signature and the signed bytes.
type Hear<'h, 's> = &'h mut dyn FnMut(&PublicKey, &'s [u8], &'s [u8]) -> Result<(), Error>;

impl<'s> Front<'s> {
    /// Splits a signature or an announcement of an HSS key, without verification.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if it has another number of levels than the key, or if a level is
    /// too short or names no known set.
    pub fn split(key: &PublicKey, whole: &'s [u8]) -> Result<Self, Error> {
        walk(key, whole, &mut |_, _, _| Ok(()))
    }

    /// Splits as [`split`](Self::split) does, and verifies every signed public key.
    ///
    /// # Errors
    /// [`Error::BadSignature`].
    pub fn verified(key: &PublicKey, whole: &'s [u8], via: Kernels<'_>) -> Result<Self, Error> {
        walk(key, whole, &mut |above, signature, below| {
            Verifier::new(above, via).verify(below, signature)
        })
    }
}

/// Splits a signature of an HSS key, and calls `hear` for every level but the lowest. `hear` may
/// refuse a level.
///
/// # Errors
/// [`Error::BadSignature`] as for [`Front::split`], and the errors of `hear`.
pub(super) fn walk<'s>(
    key: &PublicKey,
    whole: &'s [u8],
    hear: Hear<'_, 's>,
) -> Result<Front<'s>, Error> {
    let (count, mut rest) = whole.split_first_chunk().ok_or(Error::BadSignature)?;
    let signed = key.levels().unwrap_or(1) - 1;
    if u32::from_be_bytes(*count) != signed {
        return Err(Error::BadSignature);
    }
    let (mut above, mut number) = (key.highest(), 0);
    for _ in 0..signed {
        let (signature, below, behind) = cut(&above, rest).ok_or(Error::BadSignature)?;
        hear(&above, signature, below)?;
        number = under(number, above.set(), signature);
        above = PublicKey::from_lms_bytes(below).map_err(|_| Error::BadSignature)?;
        rest = behind;
    }
    let bytes = &whole[..whole.len() - rest.len()];
    Ok(Front { bytes, rest, number, lowest: above })
}

/// Returns a signature by `above`, the public key that it signs, and the remaining bytes.
fn cut<'s>(above: &PublicKey, from: &'s [u8]) -> Option<(&'s [u8], &'s [u8], &'s [u8])> {
    let (signature, rest) = from.split_at_checked(above.set().signature_bytes())?;
    let set = Set::lms_by_types(rest.first_chunk()?).ok()?;
    let (below, rest) = rest.split_at_checked(set.public_key_bytes())?;
    Some((signature, below, rest))
}

/// Returns the number, within its layer, of the tree or message that a tree of `set` with number
/// `number` signs. `signature` begins with the index of the one-time key. The result is at most
/// `u64::MAX`.
pub(crate) fn under(number: u64, set: &Set, signature: &[u8]) -> u64 {
    let q = signature.first_chunk().map_or(u32::MAX, |q| u32::from_be_bytes(*q));
    let first = number.checked_mul(set.capacity());
    first.and_then(|first| first.checked_add(q.into())).unwrap_or(u64::MAX)
}
