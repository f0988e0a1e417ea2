//! Stateful schemes: conversion between a scheme's own encoding and the published one.
//!
//! An LMS tree is published as HSS with one level (RFC 9802). Its public key is preceded by the
//! number of levels, its signature by the number of signed public keys, which is zero. An HSS key
//! with more levels is published unchanged.

use hasten_hbs as hbs;
#[cfg(feature = "sign")]
use hasten_hbs::params::{Scheme, Set};

#[cfg(feature = "sign")]
use crate::registry::Kind;
use crate::{Error, encoding::PublicKey, form, registry::Family};

/// Returns the key in the encoding of its scheme.
pub(crate) fn public_key(key: &PublicKey) -> Result<hbs::PublicKey, Error> {
    Ok(match key.row.family {
        Family::Xmss => hbs::PublicKey::from_xmss_bytes(&key.raw)?,
        Family::XmssMt => hbs::PublicKey::from_xmssmt_bytes(&key.raw)?,
        Family::Lms => hbs::PublicKey::from_lms_bytes(&key.raw)?,
        Family::Hss => match form::bare_key(&key.raw) {
            Some(tree) => hbs::PublicKey::from_lms_bytes(tree)?,
            None => hbs::PublicKey::from_hss_bytes(&key.raw)?,
        },
        _ => return Err(Error::NotBuiltIn),
    })
}

/// Returns the bytes of a stateful key in the encoding of its scheme.
#[cfg(feature = "sign")]
pub(crate) fn own_bytes(key: &PublicKey) -> Result<Vec<u8>, Error> {
    match (key.row.family, key.row.kind) {
        (Family::SlhDsa, Kind::StatefulSignature) => Ok(key.raw.clone()),
        _ => Ok(public_key(key)?.as_bytes().to_vec()),
    }
}

/// Returns the signature in the encoding of its scheme.
///
/// # Errors
/// `BadSignature` if one of HSS with one level does not begin with the number of signed keys.
pub(crate) fn signature<'s>(key: &PublicKey, signature: &'s [u8]) -> Result<&'s [u8], Error> {
    match form::is_one_level(key) {
        true => form::bare(signature),
        false => Ok(signature),
    }
}

/// Returns the key in its published encoding.
#[cfg(feature = "sign")]
pub(crate) fn published(key: &hbs::PublicKey) -> Result<PublicKey, Error> {
    match key.set().scheme {
        Scheme::Lms { .. } if key.levels().is_some() => {
            PublicKey::new(crate::registry::find("HSS")?, key.as_bytes())
        }
        Scheme::Lms { .. } => {
            PublicKey::new(crate::registry::find("HSS")?, &form::wrapped_key(key.as_bytes()))
        }
        _ => PublicKey::new(crate::registry::find(key.set().name)?, key.as_bytes()),
    }
}

/// Returns a published HSS key with one more level, which is that of its session trees. XMSS and
/// XMSS^MT keys do not state levels and stay unchanged.
#[cfg(feature = "sign")]
pub(crate) fn with_level(key: &PublicKey) -> Result<PublicKey, Error> {
    match key.row.family {
        Family::Xmss | Family::XmssMt => Ok(key.clone()),
        _ => of_levels(key, levels(key)?.checked_add(1)),
    }
}

/// Returns a published HSS key with one level less. XMSS and XMSS^MT keys stay unchanged.
#[cfg(feature = "sign")]
pub(crate) fn without_level(key: &PublicKey) -> Result<PublicKey, Error> {
    match key.row.family {
        Family::Xmss | Family::XmssMt => Ok(key.clone()),
        _ => of_levels(key, levels(key)?.checked_sub(1)),
    }
}

#[cfg(feature = "sign")]
fn levels(key: &PublicKey) -> Result<u32, Error> {
    let levels = key.raw.first_chunk().filter(|_| key.row.family == Family::Hss);
    levels.map(|levels| u32::from_be_bytes(*levels)).ok_or(Error::WrongAlgorithm)
}

/// Returns the HSS key with its number of levels set to `levels`, if that number is allowed.
#[cfg(feature = "sign")]
fn of_levels(key: &PublicKey, levels: Option<u32>) -> Result<PublicKey, Error> {
    let levels = levels.ok_or(Error::WrongAlgorithm)?;
    let raw = [&levels.to_be_bytes(), &key.raw[4..]].concat();
    hbs::PublicKey::from_hss_bytes(&raw).map_err(|_| Error::WrongAlgorithm)?;
    PublicKey::new(crate::registry::find("HSS")?, &raw)
}

/// Returns the signature in its published encoding.
#[cfg(feature = "sign")]
pub(crate) fn published_signature(set: &Set, signature: hbs::Signature) -> Vec<u8> {
    match set.scheme {
        Scheme::Lms { .. } => form::wrapped(signature.as_bytes()),
        _ => signature.into_bytes(),
    }
}
