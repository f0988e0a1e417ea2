//! Decapsulation keys that are decoded once and used for many ciphertexts.

use core::fmt;

use zeroize::Zeroizing;

#[cfg(feature = "aws-lc")]
use crate::aws;
#[cfg(any(feature = "aws-lc", feature = "legacy"))]
use crate::registry::Family;
#[cfg(feature = "legacy")]
use crate::round3;
use crate::{
    Error,
    decoded::Decoded,
    encoding::{PrivateKey, PublicKey},
    registry::{Kind, Row},
};

/// A decapsulation key that is decoded once, when it is created. It is not `Clone`; `Debug` shows
/// only the algorithm.
///
#[cfg_attr(feature = "aws-lc", doc = "```")]
#[cfg_attr(not(feature = "aws-lc"), doc = "```ignore")]
/// use hasten_keys::{kem, registry};
///
/// let (key, public) = kem::Decapsulator::generate(registry::find("ML-KEM-768")?)?;
/// let sent = kem::encapsulate(&public)?;
/// assert_eq!(key.decapsulate(&sent.ciphertext)?, sent.shared);
/// # Ok::<(), hasten_keys::Error>(())
/// ```
pub struct Decapsulator {
    row: &'static Row,
    key: Box<dyn Decoded>,
}

impl Decapsulator {
    /// Generates a key pair whose private key is never encoded as bytes.
    ///
    /// # Errors
    /// `NotBuiltIn`, `OtherPurpose`, `Randomness`.
    pub fn generate(row: &'static Row) -> Result<(Self, PublicKey), Error> {
        #[cfg(feature = "aws-lc")]
        if row.family == Family::MlKem {
            let (key, public) = aws::kem::decoded_pair(row)?;
            return Ok((Self { row, key }, public));
        }
        #[cfg(feature = "legacy")]
        if row.family == Family::Kyber {
            let (key, public) = round3::kem_pair(row)?;
            return Ok((Self { row, key: Box::new(key) }, public));
        }
        Err(row.cannot(&[Kind::Kem]))
    }

    /// Decodes `key`, which is not needed afterwards.
    ///
    /// # Errors
    /// `NotBuiltIn`, `OtherPurpose`; `KeySize` and `NotAKey` for an invalid key.
    pub fn new(key: &PrivateKey) -> Result<Self, Error> {
        let row = key.row;
        #[cfg(feature = "aws-lc")]
        if row.family == Family::MlKem {
            return Ok(Self { row, key: aws::kem::decode(key)? });
        }
        #[cfg(feature = "legacy")]
        if row.family == Family::Kyber {
            let (seed, expanded) = (key.seed.clone(), key.expanded.clone());
            return Ok(Self { row, key: Box::new(PrivateKey { row, seed, expanded }) });
        }
        Err(row.cannot(&[Kind::Kem]))
    }

    /// Returns the algorithm.
    pub fn row(&self) -> &'static Row {
        self.row
    }

    /// Returns the secret in `ciphertext`, as [`decapsulate`](crate::kem::decapsulate) does.
    ///
    /// # Errors
    /// `CiphertextSize` for a ciphertext of another length.
    pub fn decapsulate(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        if ciphertext.len() != self.row.sizes.output {
            return Err(Error::CiphertextSize);
        }
        self.key.decapsulate(ciphertext)
    }
}

impl fmt::Debug for Decapsulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decapsulator").field("row", &self.row.name).finish_non_exhaustive()
    }
}

/// The Kyber crate reads its key from bytes for every operation.
#[cfg(feature = "legacy")]
impl Decoded for PrivateKey {
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        round3::decapsulate(self, ciphertext)
    }
}
