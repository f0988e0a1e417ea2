//! A device that signs and verifies by itself in the place of the kernels.

use std::time::Duration;

use crate::Error;

/// A device for one key, which counts its own clock cycles.
pub trait Engine {
    /// Takes a seed and a public key as `hasten-hbs` has them; indices below `first` sign nothing.
    ///
    /// # Errors
    /// Returns the device's refusal.
    fn load_key(&self, seed: &[u8], public: &[u8], first: u64) -> Result<(), Error>;

    /// Takes a public key.
    ///
    /// # Errors
    /// Returns the device's refusal.
    fn load_public(&self, public: &[u8]) -> Result<(), Error>;

    /// Prepares the signature of an index, or its verification; returns the cycles.
    ///
    /// # Errors
    /// Returns the device's refusal.
    fn prepare(&self, index: u64, verification: bool) -> Result<u32, Error>;

    /// Prepares the signature of an index by a table of all chain values, or as far as the device
    /// can; returns the cycles.
    ///
    /// # Errors
    /// Returns the device's refusal.
    fn prepare_table(&self, index: u64) -> Result<u32, Error> {
        self.prepare(index, false)
    }

    /// Returns the randomizer and the chain values of a signature, and the cycles.
    ///
    /// # Errors
    /// Returns the device's refusal.
    fn sign(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, u32), Error>;

    /// Returns the cycles of a good signature, and nothing for a bad one.
    ///
    /// # Errors
    /// Returns the device's refusal.
    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Option<u32>, Error>;
}

/// Makes a device; each side of the experiment makes its own.
pub type Make<'d> = dyn Fn() -> Result<Box<dyn Engine>, Error> + Sync + 'd;

/// A device in the place of the kernels: times are those of its cycles.
pub struct Device<'d> {
    /// Makes it.
    pub make: &'d Make<'d>,
    /// Seed of the key.
    pub seed: &'d [u8],
    /// Length of a clock cycle.
    pub cycle: Duration,
}
