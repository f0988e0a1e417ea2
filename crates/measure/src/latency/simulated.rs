//! The simulated XMSS engine as a device.

use hasten_hbs::Set;

use super::Engine;
use crate::Error;

/// Returns the simulated engine for keys of `set`.
///
/// # Errors
/// The reason why this set has no simulated engine.
#[cfg(feature = "rtl")]
pub fn simulated(set: &Set) -> Result<Box<dyn Engine>, Error> {
    Ok(Box::new(hasten_rtlsim::engine::Engine::new(set)?))
}

/// Returns an error, because this build has no simulated engine.
///
/// # Errors
/// Always.
#[cfg(not(feature = "rtl"))]
pub fn simulated(_set: &Set) -> Result<Box<dyn Engine>, Error> {
    Err(Error::Engine("this build has no simulated cores"))
}

#[cfg(feature = "rtl")]
impl From<hasten_rtlsim::engine::Error> for Error {
    fn from(error: hasten_rtlsim::engine::Error) -> Self {
        Self::Engine(error.sentence())
    }
}

#[cfg(feature = "rtl")]
impl Engine for hasten_rtlsim::engine::Engine {
    fn load_key(&self, seed: &[u8], public: &[u8], first: u64) -> Result<(), Error> {
        Ok(self.load_key(seed, public, first)?)
    }

    fn load_public(&self, public: &[u8]) -> Result<(), Error> {
        Ok(self.load_public(public)?)
    }

    fn prepare(&self, index: u64, verification: bool) -> Result<u32, Error> {
        Ok(self.prepare(index, verification)?)
    }

    fn prepare_table(&self, index: u64) -> Result<u32, Error> {
        Ok(self.prepare_table(index)?)
    }

    fn sign(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, u32), Error> {
        Ok(self.sign(index, message)?)
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Option<u32>, Error> {
        Ok(self.verify(message, signature)?)
    }
}
