//! Stateless signatures: the same functions for every algorithm of this build.
//!
//! ECDSA uses the digest of its curve's size and DER signatures. RSA is RSASSA-PSS with SHA-256.
//! ML-DSA and SLH-DSA are the pure, hedged variants with the empty context, unless a [`Variant`]
//! changes that.

#[cfg(feature = "sign")]
mod signer;

use hasten_kernels::Kernels;

pub use crate::variant::Variant;
#[cfg(feature = "sign")]
pub use signer::Signer;

#[cfg(feature = "aws-lc")]
use crate::aws;
use crate::{
    Error, ed25519,
    encoding::PublicKey,
    registry::{Family, Kind},
    slh_dsa,
};
#[cfg(feature = "sign")]
use crate::{encoding::PrivateKey, registry::Row};
#[cfg(feature = "legacy")]
use crate::{falcon, round3};

/// The kinds of algorithms that sign.
const SIGN: [Kind; 2] = [Kind::Signature, Kind::StatefulSignature];

/// Generates a key.
///
/// # Errors
/// `NotBuiltIn` for algorithms that this build does not support, `OtherPurpose` for algorithms that
/// do not sign, `Randomness`.
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
        _ => Err(row.cannot(&SIGN)),
    }
}

/// Returns the public key.
///
/// # Errors
/// As [`Signer::new`].
#[cfg(feature = "sign")]
pub fn public(key: &PrivateKey, kernels: Kernels<'_>) -> Result<PublicKey, Error> {
    Ok(Signer::new(key, kernels)?.public_key().clone())
}

/// Signs one message. For many messages use [`Signer`], which expands the key once.
///
/// # Errors
/// As [`Signer::new`], and `Randomness`.
#[cfg(feature = "sign")]
pub fn sign(key: &PrivateKey, message: &[u8], kernels: Kernels<'_>) -> Result<Vec<u8>, Error> {
    Signer::new(key, kernels)?.sign(message)
}

/// Verifies a signature of `message`.
///
/// # Errors
/// `BadSignature` for every invalid signature; `NotBuiltIn`, `OtherPurpose`; `NotAKey`.
pub fn verify(
    key: &PublicKey,
    message: &[u8],
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    match key.row.family {
        Family::Ed25519 => ed25519::verify(&key.raw, message, signature),
        Family::SlhDsa => slh_dsa::verify(key, &[], message, signature, &kernels),
        #[cfg(feature = "legacy")]
        Family::SphincsPlus => slh_dsa::verify(key, &[], message, signature, &kernels),
        #[cfg(feature = "aws-lc")]
        Family::MlDsa | Family::Ecdsa | Family::Rsa => aws::verify(key, message, signature),
        #[cfg(feature = "legacy")]
        Family::Falcon => falcon::verify(key, message, signature),
        #[cfg(feature = "legacy")]
        Family::Dilithium => round3::verify(key, message, signature),
        _ => Err(key.row.cannot(&SIGN)),
    }
}

/// Verifies a signature of `message` with a context, for ML-DSA and SLH-DSA.
///
/// # Errors
/// As [`verify`]; `NotBuiltIn` for a context with any other algorithm.
pub fn verify_variant(
    key: &PublicKey,
    message: &[u8],
    signature: &[u8],
    variant: Variant<'_>,
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    match (key.row.family, variant.context()) {
        (_, []) => verify(key, message, signature, kernels),
        (Family::SlhDsa, context) => slh_dsa::verify(key, context, message, signature, &kernels),
        #[cfg(feature = "aws-lc")]
        (Family::MlDsa, context) => aws::variant::verify(key, context, message, signature),
        _ => Err(key.row.cannot(&SIGN)),
    }
}
