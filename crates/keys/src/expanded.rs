//! Interface between stateless signing and the libraries that compute it.

use crate::{Error, variant::Variant};

/// A private key in the representation its library signs with.
pub(crate) trait Expanded: Send + Sync {
    /// Returns the public key in the encoding of its scheme.
    fn raw_public(&self) -> Result<Vec<u8>, Error>;

    /// Signs `message`.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error>;

    /// Signs `message` with a context, or deterministically, if the scheme supports it.
    fn sign_variant(&self, _message: &[u8], _variant: Variant<'_>) -> Result<Vec<u8>, Error> {
        Err(Error::NotBuiltIn)
    }
}
