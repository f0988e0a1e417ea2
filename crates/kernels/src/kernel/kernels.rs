//! The bundle of three kernels.

use super::Kernel;
use super::function::{Keccak, Sha256, Sha512};

/// The kernels that a scheme hashes with. Schemes take `&Kernels`; there is no global state.
#[derive(Clone, Copy)]
pub struct Kernels<'k> {
    /// SHA-256.
    pub sha256: &'k dyn Kernel<Sha256>,
    /// SHA-512.
    pub sha512: &'k dyn Kernel<Sha512>,
    /// Keccak-f\[1600\].
    pub keccak: &'k dyn Kernel<Keccak>,
}

impl<'k> Kernels<'k> {
    /// Returns the bundle of one backend, which computes all three functions.
    #[must_use]
    pub fn from_backend<B>(backend: &'k B) -> Self
    where
        B: Kernel<Sha256> + Kernel<Sha512> + Kernel<Keccak>,
    {
        Self { sha256: backend, sha512: backend, keccak: backend }
    }
}

impl core::fmt::Debug for Kernels<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { sha256, sha512, keccak } = self;
        f.debug_struct("Kernels")
            .field("sha256", &sha256.name())
            .field("sha512", &sha512.name())
            .field("keccak", &keccak.name())
            .finish()
    }
}
