//! The two forms of one LMS tree: bare, and as HSS of one level.
//!
//! A bare public key begins with the two typecodes, a bare signature with the index. As HSS the key
//! has the number of levels in front, and the signature the number of signed public keys. Neither
//! form holds anything that the other lacks.

use std::borrow::Cow;

use crate::{
    Error,
    encoding::{NO_SIGNED_KEYS, PublicKey, hash_based},
    registry::Family,
    scheme::{ONE_LEVEL, is_one_level},
};

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
/// [`verify`](crate::verify::verify) takes.
///
/// # Errors
/// `NoForms` for keys that are no single LMS tree, `BadSignature` for one of HSS that does not
/// begin as such.
pub fn in_form<'s>(
    key: &PublicKey,
    signature: &'s [u8],
    form: Form,
) -> Result<Cow<'s, [u8]>, Error> {
    match (key.row.family, form) {
        (Family::Lms, Form::Lms) => Ok(signature.into()),
        (Family::Lms, Form::Hss) => bare(signature),
        (Family::Hss, form) if is_one_level(key) => Ok(match form {
            Form::Lms => [&NO_SIGNED_KEYS, signature].concat().into(),
            Form::Hss => signature.into(),
        }),
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
        (Family::Lms, Form::Hss) => Ok([&NO_SIGNED_KEYS, signature].concat().into()),
        (Family::Hss, Form::Lms) => one_tree(key).and_then(|()| bare(signature)),
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
        (Family::Lms, Form::Hss) => Ok([&ONE_LEVEL[..], &key.raw].concat().into()),
        (Family::Hss, Form::Lms) => {
            one_tree(key)?;
            key.raw.strip_prefix(&ONE_LEVEL).map(Cow::from).ok_or(Error::KeySize)
        }
        _ => Err(Error::NoForms),
    }
}

/// Refuses a key of HSS with several levels: no bare signature stands for all of them.
fn one_tree(key: &PublicKey) -> Result<(), Error> {
    match hash_based::hss_public(&key.raw) {
        Some((1, _)) => Ok(()),
        Some((levels, _)) => Err(Error::SeveralLevels(levels)),
        None => Err(Error::KeySize),
    }
}

/// Returns a signature of HSS with one level without its number of signed public keys.
fn bare(signature: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    signature.strip_prefix(&NO_SIGNED_KEYS).map(Cow::from).ok_or(Error::BadSignature)
}
