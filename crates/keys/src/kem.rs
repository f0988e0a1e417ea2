//! Key encapsulation: ML-KEM (FIPS 203), where this build has it.
//!
//! aws-lc-rs gives and takes the expanded decapsulation key: that form is written, and a file that
//! holds the seed alone is recognised but not computed with.

use zeroize::Zeroizing;

#[cfg(feature = "aws-lc")]
use crate::aws;
use crate::{
    Error,
    encoding::{PrivateKey, PublicKey},
    registry::Row,
};

/// A ciphertext and the secret that it carries.
pub struct Encapsulated {
    /// For the holder of the private key.
    pub ciphertext: Vec<u8>,
    /// 32 bytes.
    pub shared: Zeroizing<Vec<u8>>,
}

/// A fresh pair of keys.
///
/// # Errors
/// `NotBuiltIn`.
pub fn generate(row: &'static Row) -> Result<(PrivateKey, PublicKey), Error> {
    #[cfg(feature = "aws-lc")]
    return aws::kem::generate(row);
    #[cfg(not(feature = "aws-lc"))]
    Err(not_built_in(row))
}

/// A fresh secret for the holder of `key`'s private half.
///
/// # Errors
/// `NotBuiltIn`, `NotAKey`.
pub fn encapsulate(key: &PublicKey) -> Result<Encapsulated, Error> {
    #[cfg(feature = "aws-lc")]
    return aws::kem::encapsulate(key);
    #[cfg(not(feature = "aws-lc"))]
    Err(not_built_in(key.row))
}

/// The secret in `ciphertext`. A ciphertext of the right length always gives one: for another key
/// it is another secret (FIPS 203).
///
/// # Errors
/// `NotBuiltIn`, `NotAKey`, `KeySize` for a ciphertext of another length.
pub fn decapsulate(key: &PrivateKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    if ciphertext.len() != key.row.sizes.output {
        return Err(Error::KeySize);
    }
    #[cfg(feature = "aws-lc")]
    return aws::kem::decapsulate(key, ciphertext);
    #[cfg(not(feature = "aws-lc"))]
    Err(not_built_in(key.row))
}

#[cfg(not(feature = "aws-lc"))]
fn not_built_in(_: &Row) -> Error {
    Error::NotBuiltIn
}
