//! The backends: portable code, and the vector backends of x86-64 and 64-bit ARM.

#[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
mod arm;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512pair;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512vl;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod bmi;
mod features;
mod portable;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod sha_ni;
mod templates;
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod vectors;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod word128;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod word256;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod word512;

#[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
pub use arm::{ArmSha2, ArmSha3, ArmSha512, Neon};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use avx2::Avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use avx512::Avx512;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use avx512vl::Avx512Vl;
pub use portable::Portable;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use sha_ni::ShaNi;
