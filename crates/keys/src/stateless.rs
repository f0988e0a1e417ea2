//! Signatures without state: one set of calls for every algorithm of this build.
//!
//! ECDSA hashes with the digest of its curve's size and is DER inside; RSA is RSASSA-PSS with
//! SHA-256; ML-DSA and SLH-DSA are the pure variants with the empty context, hedged.

use hasten_kernels::Kernels;

#[cfg(feature = "aws-lc")]
use crate::aws;
use crate::{
    Error, ed25519,
    encoding::{PrivateKey, PublicKey},
    registry::{Family, Kind, Row},
    slh_dsa,
};
#[cfg(feature = "legacy")]
use crate::{falcon, round3};

/// What signs.
const SIGN: [Kind; 2] = [Kind::Signature, Kind::StatefulSignature];

/// A fresh key.
///
/// # Errors
/// `NotBuiltIn` for what this build cannot compute, `OtherPurpose` for what signs nothing, `Randomness`.
#[cfg(feature = "sign")]
pub fn generate(row: &'static Row, kernels: Kernels<'_>) -> Result<PrivateKey, Error> {
    match row.family {
        Family::Ed25519 => ed25519::generate(),
        Family::SlhDsa => slh_dsa::generate(row, &kernels),
        #[cfg(feature = "legacy")]
        Family::SphincsPlus => slh_dsa::generate(row, &kernels),
        #[cfg(feature = "aws-lc")]
        Family::MlDsa | Family::Ecdsa | Family::Rsa => aws::generate(row),
        #[cfg(feature = "legacy")]
        Family::Falcon => falcon::generate(row),
        #[cfg(feature = "legacy")]
        Family::Dilithium => round3::generate(row),
        _ => Err(Error::cannot(row, &SIGN)),
    }
}

/// The public half.
///
/// # Errors
/// `NotBuiltIn` and `OtherPurpose` as [`generate`], `KeySize` and `NotAKey` for a key that is none.
#[cfg(feature = "sign")]
pub fn public(key: &PrivateKey, kernels: Kernels<'_>) -> Result<PublicKey, Error> {
    match key.row.family {
        Family::Ed25519 => ed25519::public(key),
        Family::SlhDsa => slh_dsa::public(key, &kernels),
        #[cfg(feature = "legacy")]
        Family::SphincsPlus => slh_dsa::public(key, &kernels),
        #[cfg(feature = "aws-lc")]
        Family::MlDsa | Family::Ecdsa | Family::Rsa => aws::public(key),
        #[cfg(feature = "legacy")]
        Family::Falcon => falcon::public(key),
        #[cfg(feature = "legacy")]
        Family::Dilithium => round3::public(key),
        _ => Err(Error::cannot(key.row, &SIGN)),
    }
}

/// The signature of `message`.
///
/// # Errors
/// As [`public`].
#[cfg(feature = "sign")]
pub fn sign(key: &PrivateKey, message: &[u8], kernels: Kernels<'_>) -> Result<Vec<u8>, Error> {
    match key.row.family {
        Family::Ed25519 => ed25519::sign(key, message),
        Family::SlhDsa => slh_dsa::sign(key, message, &kernels),
        #[cfg(feature = "legacy")]
        Family::SphincsPlus => slh_dsa::sign(key, message, &kernels),
        #[cfg(feature = "aws-lc")]
        Family::MlDsa | Family::Ecdsa | Family::Rsa => aws::sign(key, message),
        #[cfg(feature = "legacy")]
        Family::Falcon => falcon::sign(key, message),
        #[cfg(feature = "legacy")]
        Family::Dilithium => round3::sign(key, message),
        _ => Err(Error::cannot(key.row, &SIGN)),
    }
}

/// Whether `signature` is one of `message`.
///
/// # Errors
/// `BadSignature`, whatever is wrong with it; `NotBuiltIn`, `OtherPurpose`; `NotAKey`.
pub fn verify(
    key: &PublicKey,
    message: &[u8],
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    match key.row.family {
        Family::Ed25519 => ed25519::verify(&key.raw, message, signature),
        Family::SlhDsa => slh_dsa::verify(key, message, signature, &kernels),
        #[cfg(feature = "legacy")]
        Family::SphincsPlus => slh_dsa::verify(key, message, signature, &kernels),
        #[cfg(feature = "aws-lc")]
        Family::MlDsa | Family::Ecdsa | Family::Rsa => aws::verify(key, message, signature),
        #[cfg(feature = "legacy")]
        Family::Falcon => falcon::verify(key, message, signature),
        #[cfg(feature = "legacy")]
        Family::Dilithium => round3::verify(key, message, signature),
        _ => Err(Error::cannot(key.row, &SIGN)),
    }
}
