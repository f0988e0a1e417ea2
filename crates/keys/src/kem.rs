//! Key encapsulation: ML-KEM (FIPS 203) and Kyber of round 3, each if this build includes it.
//!
//! ML-KEM private keys can be used in all three forms of RFC 9935. New keys have the expanded form.
//! aws-lc-rs reads the expanded form only; the crate `ml-kem` handles files that hold only a seed.
//!
//! ML-KEM-768 is computed by graviola if the processor supports it (AVX2 and ADX, or NEON), which
//! is detected at run time. graviola does not read expanded keys; aws-lc-rs handles those.
//!
#![cfg_attr(feature = "aws-lc", doc = "```")]
#![cfg_attr(not(feature = "aws-lc"), doc = "```ignore")]
//! use hasten_keys::{kem, registry};
//!
//! let (private, public) = kem::generate(registry::find("ML-KEM-768")?)?;
//! let sent = kem::encapsulate(&public)?;
//! assert_eq!(kem::decapsulate(&private, &sent.ciphertext)?, sent.shared);
//! # Ok::<(), hasten_keys::Error>(())
//! ```

use zeroize::Zeroizing;

#[cfg(feature = "aws-lc")]
use crate::aws;
pub use crate::decapsulator::Decapsulator;
pub use crate::encapsulated::Encapsulated;
#[cfg(any(feature = "aws-lc", feature = "legacy"))]
use crate::registry::Family;
#[cfg(feature = "legacy")]
use crate::round3;
use crate::{
    Error,
    encoding::{PrivateKey, PublicKey},
    registry::{Kind, Row},
};

/// Generates a key pair.
///
/// # Errors
/// `NotBuiltIn`, `OtherPurpose`.
pub fn generate(row: &'static Row) -> Result<(PrivateKey, PublicKey), Error> {
    #[cfg(feature = "aws-lc")]
    if row.family == Family::MlKem {
        return aws::kem::generate(row);
    }
    #[cfg(feature = "legacy")]
    if row.family == Family::Kyber {
        return round3::kem_pair(row);
    }
    Err(row.cannot(&[Kind::Kem]))
}

/// Generates a shared secret and encapsulates it for `key`.
///
/// # Errors
/// `NotBuiltIn`, `OtherPurpose`, `NotAKey`.
pub fn encapsulate(key: &PublicKey) -> Result<Encapsulated, Error> {
    #[cfg(feature = "aws-lc")]
    if key.row.family == Family::MlKem {
        return aws::kem::encapsulate(key);
    }
    #[cfg(feature = "legacy")]
    if key.row.family == Family::Kyber {
        return round3::encapsulate(key);
    }
    Err(key.row.cannot(&[Kind::Kem]))
}

/// Returns the secret in `ciphertext`. This call decodes the key each time; a [`Decapsulator`]
/// decodes it once. A ciphertext of the right length always yields a secret: one made for another
/// key yields a different secret (FIPS 203).
///
/// # Errors
/// `NotBuiltIn`, `OtherPurpose`, `NotAKey`, `CiphertextSize` for a ciphertext of another length.
pub fn decapsulate(key: &PrivateKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    if key.row.kind == Kind::Kem && ciphertext.len() != key.row.sizes.output {
        return Err(Error::CiphertextSize);
    }
    #[cfg(feature = "aws-lc")]
    if key.row.family == Family::MlKem {
        return aws::kem::decapsulate(key, ciphertext);
    }
    #[cfg(feature = "legacy")]
    if key.row.family == Family::Kyber {
        return round3::decapsulate(key, ciphertext);
    }
    Err(key.row.cannot(&[Kind::Kem]))
}
