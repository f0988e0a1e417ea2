//! The seam between signing without state and the libraries that compute it.

use crate::{Error, variant::Variant};

/// A private key in the form in which its library signs.
pub(crate) trait Expanded: Send + Sync {
    /// Returns the public key as its scheme writes it.
    fn raw_public(&self) -> Result<Vec<u8>, Error>;

    /// Signs `message`.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error>;

    /// Signs `message` with a context, or deterministically, where the scheme has that.
    fn sign_variant(&self, _message: &[u8], _variant: Variant<'_>) -> Result<Vec<u8>, Error> {
        Err(Error::NotBuiltIn)
    }
}
