//! A device that signs and verifies in place of the kernels.

use std::time::Duration;

use crate::Error;

/// A device for one key, which counts its own clock cycles.
pub trait Engine {
    /// Loads a seed and a public key in the format of `hasten-hbs`; indices below `first` are
    /// disabled.
    ///
    /// # Errors
    /// The error of the device.
    fn load_key(&self, seed: &[u8], public: &[u8], first: u64) -> Result<(), Error>;

    /// Loads a public key.
    ///
    /// # Errors
    /// The error of the device.
    fn load_public(&self, public: &[u8]) -> Result<(), Error>;

    /// Prepares the signature of an index, or its verification; returns the clock cycles taken.
    ///
    /// # Errors
    /// The error of the device.
    fn prepare(&self, index: u64, verification: bool) -> Result<u32, Error>;

    /// Prepares the signature of an index with a table of all chain values, or as far as the device
    /// supports it; returns the clock cycles taken.
    ///
    /// # Errors
    /// The error of the device.
    fn prepare_table(&self, index: u64) -> Result<u32, Error> {
        self.prepare(index, false)
    }

    /// Signs a message. Returns the randomizer and the chain values of the signature, and the clock
    /// cycles taken.
    ///
    /// # Errors
    /// The error of the device.
    fn sign(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, u32), Error>;

    /// Verifies a signature. Returns the clock cycles taken if it is good, or `None` if it is bad.
    ///
    /// # Errors
    /// The error of the device.
    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Option<u32>, Error>;
}

/// A function that creates a device; each side of the experiment creates its own.
pub type Make<'d> = dyn Fn() -> Result<Box<dyn Engine>, Error> + Sync + 'd;

/// A device that replaces the kernels. Its times are computed from its clock cycles.
pub struct Device<'d> {
    /// Creates the device.
    pub make: &'d Make<'d>,
    /// Seed of the key.
    pub seed: &'d [u8],
    /// Length of a clock cycle.
    pub cycle: Duration,
}
