//! Interface between decapsulation and the libraries that compute it.

use zeroize::Zeroizing;

use crate::Error;
#[cfg(feature = "aws-lc")]
use crate::encoding::PublicKey;

/// A decapsulation key in the representation its library computes with.
pub(crate) trait Decoded: Send + Sync {
    /// Returns the secret in a ciphertext of the right length.
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error>;
}

/// A decoded private key and its public key.
#[cfg(feature = "aws-lc")]
pub(crate) type DecodedPair = (Box<dyn Decoded>, PublicKey);
