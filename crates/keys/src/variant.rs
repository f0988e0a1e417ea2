//! The signing options that FIPS 204 and FIPS 205 leave to the signer.

use hasten_hbs::slhdsa::Context;

use crate::Error;

/// Options of one ML-DSA or SLH-DSA signature. The default is the empty context and the hedged
/// variant.
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

    /// Returns the deterministic variant: it uses no randomness and always gives the same
    /// signature.
    #[must_use]
    pub fn deterministic(self) -> Self {
        Self { deterministic: true, ..self }
    }

    /// Returns the context.
    pub fn context(&self) -> &'c [u8] {
        self.context
    }

    /// Returns true if the signature uses no randomness.
    pub fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// Returns true if these are the default options.
    #[cfg(feature = "sign")]
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}
