//! Stateful schemes between their own encoding and the published one.
//!
//! An LMS tree is published as HSS with one level (RFC 9802): its public key behind the number of
//! levels, its signature behind the number of signed public keys, which is zero. A key of HSS with
//! more levels is published as it is.

use hasten_hbs::{
    self as hbs,
    params::{Scheme, Set},
};

use crate::{
    Error,
    encoding::PublicKey,
    registry::{self, Family},
};

const ONE_LEVEL: [u8; 4] = [0, 0, 0, 1];
const NO_SIGNED_KEYS: [u8; 4] = [0; 4];

/// The key as its scheme has it.
pub(crate) fn public_key(key: &PublicKey) -> Result<hbs::PublicKey, Error> {
    Ok(match key.row.family {
        Family::Xmss => hbs::PublicKey::from_xmss_bytes(&key.raw)?,
        Family::XmssMt => hbs::PublicKey::from_xmssmt_bytes(&key.raw)?,
        Family::Lms => hbs::PublicKey::from_lms_bytes(&key.raw)?,
        Family::Hss => match key.raw.strip_prefix(&ONE_LEVEL) {
            Some(tree) => hbs::PublicKey::from_lms_bytes(tree)?,
            None => hbs::PublicKey::from_hss_bytes(&key.raw)?,
        },
        _ => return Err(Error::NotBuiltIn),
    })
}

/// The signature as `key` has it. A bare LMS signature is taken for one of HSS with one level too.
pub(crate) fn signature<'s>(key: &hbs::PublicKey, signature: &'s [u8]) -> &'s [u8] {
    let one_level = matches!(key.set().scheme, Scheme::Lms { .. }) && key.levels().is_none();
    let wrapped = one_level && signature.len() == 4 + key.set().signature_bytes();
    if wrapped { signature.strip_prefix(&NO_SIGNED_KEYS).unwrap_or(signature) } else { signature }
}

/// The key as it is published.
#[cfg(feature = "sign")]
pub(crate) fn published(key: &hbs::PublicKey) -> Result<PublicKey, Error> {
    match key.set().scheme {
        Scheme::Lms { .. } if key.levels().is_some() => {
            PublicKey::new(registry::find("HSS")?, key.as_bytes())
        }
        Scheme::Lms { .. } => {
            PublicKey::new(registry::find("HSS")?, &[&ONE_LEVEL, key.as_bytes()].concat())
        }
        _ => PublicKey::new(registry::find(key.set().name)?, key.as_bytes()),
    }
}

/// The signature as it is published.
#[cfg(feature = "sign")]
pub(crate) fn published_signature(set: &Set, signature: hbs::Signature) -> Vec<u8> {
    match set.scheme {
        Scheme::Lms { .. } => [&NO_SIGNED_KEYS, signature.as_bytes()].concat(),
        _ => signature.into_bytes(),
    }
}
