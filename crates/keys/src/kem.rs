//! Key encapsulation: ML-KEM (FIPS 203), and Kyber of round 3, where this build has them.
//!
//! All three forms of RFC 9935 are computed with. The expanded decapsulation key is the form that
//! is written. aws-lc-rs takes it; for a file with a seed alone the crate `ml-kem` stands in.
//!
//! ML-KEM-768 is that of graviola where the processor has what it takes (AVX2 and ADX, or NEON),
//! which is asked at run time. It reads no expanded key: such a file stays with aws-lc-rs.
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

/// Returns a fresh pair of keys.
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

/// Returns a fresh secret for the holder of `key`'s private half.
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

/// Returns the secret in `ciphertext`, reading the key from its bytes: a [`Decapsulator`] reads
/// them once. A ciphertext of the right length always gives one: for
/// another key it is another secret (FIPS 203).
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
