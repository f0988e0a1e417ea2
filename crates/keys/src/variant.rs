//! The variant of a signature that FIPS 204 and FIPS 205 leave to the signer.

use hasten_hbs::slhdsa::Context;

use crate::Error;

/// Holds the choices of one signature of ML-DSA or SLH-DSA beside its message. The default is the
/// empty context and the hedged variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant<'c> {
    context: &'c [u8],
    deterministic: bool,
}

impl<'c> Variant<'c> {
    /// Returns the hedged variant with a context of at most 255 bytes.
    ///
    /// # Errors
    /// `Scheme` for a longer one.
    pub fn new(context: &'c [u8]) -> Result<Self, Error> {
        Context::new(context)?;
        Ok(Self { context, deterministic: false })
    }

    /// Returns the deterministic variant: the same signature each time, with no randomness.
    #[must_use]
    pub fn deterministic(self) -> Self {
        Self { deterministic: true, ..self }
    }

    /// Returns the context.
    pub fn context(&self) -> &'c [u8] {
        self.context
    }

    /// Returns whether no randomness goes into the signature.
    pub fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// Returns whether a signature with neither says the same.
    #[cfg(feature = "sign")]
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}
