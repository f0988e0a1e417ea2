//! Ed25519 (RFC 8032) by `ed25519-dalek`, with the key types of this crate.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use crate::{
    Error,
    encoding::{PrivateKey, PublicKey},
    registry,
};

/// Returns a fresh key from the operating system's randomness.
///
/// # Errors
/// `Randomness` if the system provides none.
pub fn generate() -> Result<PrivateKey, Error> {
    let mut seed = Zeroizing::new(vec![0; 32]);
    getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
    Ok(PrivateKey { row: registry::find("Ed25519")?, seed: Some(seed), expanded: None })
}

pub(crate) fn expand(key: &PrivateKey) -> Result<SigningKey, Error> {
    let seed = key.seed.as_deref().ok_or(Error::KeySize)?;
    let seed = <&[u8; 32]>::try_from(seed.as_slice()).map_err(|_| Error::KeySize)?;
    Ok(SigningKey::from_bytes(seed))
}

/// Returns the public key.
///
/// # Errors
/// `KeySize` if `key` is not an Ed25519 key.
pub fn public(key: &PrivateKey) -> Result<PublicKey, Error> {
    PublicKey::new(key.row, expand(key)?.verifying_key().as_bytes())
}

/// Returns the 64-byte signature of `message`.
///
/// # Errors
/// `KeySize` if `key` is not an Ed25519 key.
pub fn sign(key: &PrivateKey, message: &[u8]) -> Result<Vec<u8>, Error> {
    Ok(expand(key)?.sign(message).to_vec())
}

#[cfg(feature = "sign")]
impl crate::expanded::Expanded for SigningKey {
    fn raw_public(&self) -> Result<Vec<u8>, Error> {
        Ok(self.verifying_key().as_bytes().to_vec())
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(Signer::sign(self, message).to_vec())
    }
}

/// Verifies more strictly than ZIP 215: rejects public keys and R of small order.
///
/// # Errors
/// `BadSignature` for every invalid signature, `KeySize` and `NotAKey` for an invalid public key.
pub fn verify(raw_public: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let raw = raw_public.try_into().map_err(|_| Error::KeySize)?;
    let key = VerifyingKey::from_bytes(raw).map_err(|_| Error::NotAKey)?;
    let signature = Signature::from_slice(signature).map_err(|_| Error::BadSignature)?;
    key.verify_strict(message, &signature).map_err(|_| Error::BadSignature)
}
