//! The names of the backends, and the bundle of each.

use crate::Error;
use crate::backend::Portable;
#[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
use crate::backend::{ArmSha2, ArmSha3, ArmSha512, Neon};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use crate::backend::{Avx2, Avx512, Avx512Vl, ShaNi};
use crate::kernel::Kernels;

/// The names of all backends. Among those of one architecture, the best comes last.
pub const NAMES: [&str; 8] =
    ["portable", "neon", "arm-sha2", "arm-sha3", "avx2", "sha-ni", "avx512vl", "avx512"];

impl Kernels<'static> {
    /// Returns the fastest bundle that this CPU supports.
    #[must_use]
    pub fn best() -> Self {
        let best = NAMES.iter().rev().find_map(|name| Self::named(name).ok());
        best.unwrap_or_else(Self::portable)
    }

    /// Returns the portable bundle, which runs on every CPU.
    #[must_use]
    pub fn portable() -> Self {
        Self::from_backend(Portable::detect())
    }

    /// Returns the bundle of the backend with this name.
    ///
    /// # Errors
    /// [`Error::UnknownBackend`] or [`Error::NotOnThisCpu`].
    pub fn named(name: &str) -> Result<Self, Error> {
        match name {
            "portable" => Ok(Self::portable()),
            name if NAMES.contains(&name) => Self::vector(name).ok_or(Error::NotOnThisCpu),
            _ => Err(Error::UnknownBackend),
        }
    }

    /// Returns the names and bundles of the backends that this CPU supports, the best last.
    pub fn available() -> impl Iterator<Item = (&'static str, Self)> {
        NAMES.into_iter().filter_map(|name| Some((name, Self::named(name).ok()?)))
    }

    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    fn vector(name: &str) -> Option<Self> {
        match name {
            "avx2" => Avx2::detect().map(Self::from_backend),
            "sha-ni" => {
                Some(Self { sha256: ShaNi::detect()?, ..Self::from_backend(Avx2::detect()?) })
            }
            "avx512vl" => Avx512Vl::detect().map(Self::from_backend),
            "avx512" => Avx512::detect().map(Self::from_backend),
            _ => None,
        }
    }

    #[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
    fn vector(name: &str) -> Option<Self> {
        let neon = Self::from_backend(Neon::detect()?);
        match name {
            "neon" => Some(neon),
            "arm-sha2" => Some(Self { sha256: ArmSha2::detect()?, ..neon }),
            "arm-sha3" => Some(Self {
                sha256: ArmSha2::detect()?,
                sha512: ArmSha512::detect()?,
                keccak: ArmSha3::detect()?,
            }),
            _ => None,
        }
    }

    #[cfg(not(all(
        feature = "std",
        any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))
    )))]
    fn vector(_name: &str) -> Option<Self> {
        None
    }
}
