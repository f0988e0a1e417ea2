//! The two forms of one LMS tree: bare, and as HSS of one level.
//!
//! A bare public key begins with the two typecodes, a bare signature with the index. As HSS the key
//! has the number of levels in front, and the signature the number of signed public keys. Neither
//! form holds anything that the other lacks.

use std::borrow::Cow;

use crate::{
    Error,
    encoding::{NO_SIGNED_KEYS, PublicKey, hash_based, read_public},
    registry::Family,
};

/// The number of levels in front of the public key of one tree.
const ONE_LEVEL: [u8; 4] = [0, 0, 0, 1];

/// Bytes of the number of levels, or of signed public keys, in front of the form of HSS.
pub(crate) const LEVELS_BYTES: usize = ONE_LEVEL.len();

/// The two forms of a signature of one LMS tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// RFC 8554, section 5.4 (LMS Signature): as MCUboot, OpenSSL and the NIST's vectors have it.
    Lms,
    /// RFC 8554, section 6.2 (Signature Generation): that of one level, with four bytes in
    /// front, as certificates have it.
    Hss,
}

/// Returns a signature in `form` as one in the form of `key`, which is the only one that
/// [`verify`](crate::verify::verify) takes. One of HSS with several levels is in the form of HSS
/// already.
///
/// # Errors
/// `NoForms` for other keys that are no single LMS tree, `BadSignature` for one of HSS that does
/// not begin as such.
pub fn in_form<'s>(
    key: &PublicKey,
    signature: &'s [u8],
    form: Form,
) -> Result<Cow<'s, [u8]>, Error> {
    match (key.row.family, form) {
        (Family::Lms, Form::Lms) | (Family::Hss, Form::Hss) => Ok(signature.into()),
        (Family::Lms, Form::Hss) => bare(signature).map(Cow::from),
        (Family::Hss, Form::Lms) if is_one_level(key) => Ok(wrapped(signature).into()),
        _ => Err(Error::NoForms),
    }
}

/// Returns a signature in the form of `key` as one in `form`: the way back of [`in_form`]. One of
/// HSS with several levels is in the form of HSS already.
///
/// # Errors
/// `SeveralLevels` for a bare signature of HSS with several levels, `NoForms` for keys that are
/// neither LMS nor HSS, `BadSignature` for one of HSS that does not begin as such.
pub fn signature_as<'s>(
    key: &PublicKey,
    signature: &'s [u8],
    form: Form,
) -> Result<Cow<'s, [u8]>, Error> {
    match (key.row.family, form) {
        (Family::Lms, Form::Lms) | (Family::Hss, Form::Hss) => Ok(signature.into()),
        (Family::Lms, Form::Hss) => Ok(wrapped(signature).into()),
        (Family::Hss, Form::Lms) if is_one_level(key) => bare(signature).map(Cow::from),
        (Family::Hss, Form::Lms) => Err(several(key)),
        _ => Err(Error::NoForms),
    }
}

/// Returns the raw bytes of a public key in `form`.
///
/// # Errors
/// `SeveralLevels` for the bare form of HSS with several levels, `NoForms` for keys that are
/// neither LMS nor HSS.
pub fn public_as(key: &PublicKey, form: Form) -> Result<Cow<'_, [u8]>, Error> {
    match (key.row.family, form) {
        (Family::Lms, Form::Lms) | (Family::Hss, Form::Hss) => Ok((&key.raw).into()),
        (Family::Lms, Form::Hss) => Ok(wrapped_key(&key.raw).into()),
        (Family::Hss, Form::Lms) => bare_key(&key.raw).map(Cow::from).ok_or_else(|| several(key)),
        _ => Err(Error::NoForms),
    }
}

/// Returns the key as it is published: one of LMS stands as HSS of one level.
///
/// # Errors
/// As [`read_public`](crate::encoding::read_public).
pub fn published(key: &PublicKey) -> Result<PublicKey, Error> {
    match key.row.family {
        Family::Lms => read_public(&wrapped_key(&key.raw), Some("HSS")),
        _ => Ok(key.clone()),
    }
}

/// Returns why a key of HSS with several levels has no bare form: none stands for all of them.
fn several(key: &PublicKey) -> Error {
    hash_based::hss_public(&key.raw).map_or(Error::KeySize, |(n, _)| Error::SeveralLevels(n))
}

/// Returns whether the key is of HSS with one level.
pub(crate) fn is_one_level(key: &PublicKey) -> bool {
    key.row.family == Family::Hss && bare_key(&key.raw).is_some()
}

/// Returns a public key of HSS with one level without its number of levels.
pub(crate) fn bare_key(raw: &[u8]) -> Option<&[u8]> {
    raw.strip_prefix(&ONE_LEVEL)
}

/// Returns a public key of one tree as HSS of one level.
pub(crate) fn wrapped_key(raw: &[u8]) -> Vec<u8> {
    [&ONE_LEVEL, raw].concat()
}

/// Returns a signature of HSS with one level without its number of signed public keys.
pub(crate) fn bare(signature: &[u8]) -> Result<&[u8], Error> {
    signature.strip_prefix(&NO_SIGNED_KEYS).ok_or(Error::BadSignature)
}

/// Returns a signature of one tree as HSS of one level.
pub(crate) fn wrapped(signature: &[u8]) -> Vec<u8> {
    [&NO_SIGNED_KEYS, signature].concat()
}
