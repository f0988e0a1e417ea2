//! Private keys that are parsed and expanded once and sign many messages.

use core::fmt;

use hasten_kernels::Kernels;

use super::{SIGN, Variant};
#[cfg(feature = "aws-lc")]
use crate::aws;
use crate::{
    Error, ed25519,
    encoding::{PrivateKey, PublicKey},
    expanded::Expanded,
    registry::{Family, Row},
    slh_dsa,
};
#[cfg(feature = "legacy")]
use crate::{falcon, round3};

/// A stateless private key that is ready to sign: parsed and expanded once, when it is created.
///
/// For ML-DSA the expansion takes a third of the time of a signature, so a program that signs more
/// than once should keep one of these. It is not `Clone`; `Debug` shows only the algorithm.
///
/// ```
/// use hasten_kernels::Kernels;
/// use hasten_keys::{registry, stateless};
///
/// let kernels = Kernels::best();
/// let key = stateless::generate(registry::find("SLH-DSA-SHA2-128f")?, kernels)?;
/// let signer = stateless::Signer::new(&key, kernels)?;
/// let signature = signer.sign(b"message")?;
/// stateless::verify(signer.public_key(), b"message", &signature, kernels)?;
/// # Ok::<(), hasten_keys::Error>(())
/// ```
pub struct Signer<'k> {
    public: PublicKey,
    key: Box<dyn Expanded + 'k>,
}

impl<'k> Signer<'k> {
    /// Expands `key`, which is not needed afterwards.
    ///
    /// # Errors
    /// `NotBuiltIn` for algorithms that this build does not support, `OtherPurpose` for algorithms
    /// that do not sign, `KeySize` and `NotAKey` for an invalid key.
    pub fn new(key: &PrivateKey, kernels: Kernels<'k>) -> Result<Self, Error> {
        let (row, key) = (key.row, expand(key, &kernels)?);
        let raw = key.raw_public()?;
        let public = match row.family {
            // RSA keys do not have a fixed size.
            Family::Rsa => PublicKey { row, raw },
            _ => PublicKey::new(row, &raw)?,
        };
        Ok(Self { public, key })
    }

    /// Returns the algorithm.
    pub fn row(&self) -> &'static Row {
        self.public.row
    }

    /// Returns the public key.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Signs `message`.
    ///
    /// # Errors
    /// `Randomness` if the system provides none.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.key.sign(message)
    }

    /// Signs `message` with a context, or deterministically. Supported are ML-DSA keys with a seed,
    /// and SLH-DSA.
    ///
    /// # Errors
    /// As [`sign`](Self::sign), and `NotBuiltIn` for any other key.
    ///
    /// ```
    /// use hasten_kernels::Kernels;
    /// use hasten_keys::{registry, stateless::{self, Variant}};
    ///
    /// let kernels = Kernels::best();
    /// let key = stateless::generate(registry::find("SLH-DSA-SHA2-128f")?, kernels)?;
    /// let signer = stateless::Signer::new(&key, kernels)?;
    /// let variant = Variant::new(b"firmware")?;
    /// let signature = signer.sign_variant(b"message", variant)?;
    /// let verified = |variant| {
    ///     stateless::verify_variant(signer.public_key(), b"message", &signature, variant, kernels)
    /// };
    /// verified(variant)?;
    /// assert!(verified(Variant::default()).is_err());
    /// # Ok::<(), hasten_keys::Error>(())
    /// ```
    pub fn sign_variant(&self, message: &[u8], variant: Variant<'_>) -> Result<Vec<u8>, Error> {
        if variant.is_plain() {
            self.sign(message)
        } else {
            self.key.sign_variant(message, variant)
        }
    }
}

impl fmt::Debug for Signer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("row", &self.public.row.name).finish_non_exhaustive()
    }
}

impl signature::Keypair for Signer<'_> {
    type VerifyingKey = PublicKey;

    fn verifying_key(&self) -> PublicKey {
        self.public.clone()
    }
}

impl signature::Signer<Vec<u8>> for Signer<'_> {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Signer::sign(self, message).map_err(|_| signature::Error::new())
    }
}

fn expand<'k>(key: &PrivateKey, kernels: &Kernels<'k>) -> Result<Box<dyn Expanded + 'k>, Error> {
    Ok(match key.row.family {
        Family::Ed25519 => Box::new(ed25519::expand(key)?),
        Family::SlhDsa => Box::new(slh_dsa::expand(key, kernels)?),
        #[cfg(feature = "legacy")]
        Family::SphincsPlus => Box::new(slh_dsa::expand(key, kernels)?),
        #[cfg(feature = "aws-lc")]
        Family::MlDsa | Family::Ecdsa | Family::Rsa => Box::new(aws::expand(key)?),
        #[cfg(feature = "legacy")]
        Family::Falcon => falcon::expand(key)?,
        #[cfg(feature = "legacy")]
        Family::Dilithium => Box::new(round3::expand(key)?),
        _ => return Err(key.row.cannot(&SIGN)),
    })
}
