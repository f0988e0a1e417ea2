//! The two forms of a single LMS tree: plain LMS, and HSS with one level.
//!
//! A plain public key begins with the two typecodes, a plain signature with the index. In HSS form
//! the key is preceded by the number of levels, the signature by the number of signed public keys.
//! Both forms contain the same information.

use std::borrow::Cow;

use crate::{
    Error,
    encoding::{NO_SIGNED_KEYS, PublicKey, hash_based, read_public},
    registry::Family,
};

/// The number of levels that precedes the public key of a single tree.
const ONE_LEVEL: [u8; 4] = [0, 0, 0, 1];

/// Size in bytes of the prefix of the HSS form: the number of levels or of signed public keys.
pub(crate) const LEVELS_BYTES: usize = ONE_LEVEL.len();

/// The two forms of a signature of one LMS tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// RFC 8554, section 5.4 (LMS Signature): used by MCUboot, OpenSSL and the NIST test vectors.
    Lms,
    /// RFC 8554, section 6.2 (Signature Generation): HSS with one level, which has a prefix of four
    /// bytes. Used in certificates.
    Hss,
}

/// Converts a signature in `form` to the form of `key`, the only one that
/// [`verify`](crate::verify::verify) accepts. A signature of HSS with several levels is always in
/// HSS form.
///
/// # Errors
/// `NoForms` if `key` is not a single LMS tree (unless it is an HSS key and `form` is HSS),
/// `BadSignature` if a signature in HSS form has a wrong prefix.
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

/// Converts a signature in the form of `key` to `form`, the inverse of [`in_form`]. A signature of
/// HSS with several levels is always in HSS form.
///
/// # Errors
/// `SeveralLevels` for the plain form of HSS with several levels, `NoForms` for keys that are
/// neither LMS nor HSS, `BadSignature` if a signature in HSS form has a wrong prefix.
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
/// `SeveralLevels` for the plain form of HSS with several levels, `NoForms` for keys that are
/// neither LMS nor HSS.
pub fn public_as(key: &PublicKey, form: Form) -> Result<Cow<'_, [u8]>, Error> {
    match (key.row.family, form) {
        (Family::Lms, Form::Lms) | (Family::Hss, Form::Hss) => Ok((&key.raw).into()),
        (Family::Lms, Form::Hss) => Ok(wrapped_key(&key.raw).into()),
        (Family::Hss, Form::Lms) => bare_key(&key.raw).map(Cow::from).ok_or_else(|| several(key)),
        _ => Err(Error::NoForms),
    }
}

/// Returns the key in its published form: an LMS key becomes HSS with one level.
///
/// # Errors
/// As [`read_public`](crate::encoding::read_public).
pub fn published(key: &PublicKey) -> Result<PublicKey, Error> {
    match key.row.family {
        Family::Lms => read_public(&wrapped_key(&key.raw), Some("HSS")),
        _ => Ok(key.clone()),
    }
}

/// Returns the error for the plain form of an HSS key with several levels.
fn several(key: &PublicKey) -> Error {
    hash_based::hss_public(&key.raw).map_or(Error::KeySize, |(n, _)| Error::SeveralLevels(n))
}

/// Returns true if the key is an HSS key with one level.
pub(crate) fn is_one_level(key: &PublicKey) -> bool {
    key.row.family == Family::Hss && bare_key(&key.raw).is_some()
}

/// Returns the plain public key in an HSS public key with one level.
pub(crate) fn bare_key(raw: &[u8]) -> Option<&[u8]> {
    raw.strip_prefix(&ONE_LEVEL)
}

/// Converts a plain public key to HSS with one level.
pub(crate) fn wrapped_key(raw: &[u8]) -> Vec<u8> {
    [&ONE_LEVEL, raw].concat()
}

/// Returns the plain signature in an HSS signature with one level.
pub(crate) fn bare(signature: &[u8]) -> Result<&[u8], Error> {
    signature.strip_prefix(&NO_SIGNED_KEYS).ok_or(Error::BadSignature)
}

/// Converts a plain signature to HSS with one level.
pub(crate) fn wrapped(signature: &[u8]) -> Vec<u8> {
    [&NO_SIGNED_KEYS, signature].concat()
}
