//! The hardware cores of `rtl/` from Rust: generated files, exact models, and simulation by
//! Verilator, with the same interfaces as the CPU's backends.
//!
//! [`RtlKeccak`] is a [`Keccak`](hasten_kernels::Keccak) backend. [`sha3::Sha3Unit`] is the SHA-3
//! unit, port by port, and [`sha3_job`] sends whole messages through it. [`Ed25519Core`] and
//! [`xmss::XmssCore`] are whole cores, which sign by themselves. [`engine::Engine`] is an
//! `XmssCore` for one key. [`hbs_verify::RtlHbsVerify`] is a core on its bus, for its driver. Calls
//! of the other cores also report the clock cycles that they took. Without the pinned Verilator
//! (`cargo xtask hw tools`) the crate builds, but every `new` returns [`Error::NotBuilt`].

pub mod ed25519;
mod ed25519_core;
pub mod emit;
pub mod engine;
mod error;
pub mod hash_constants;
pub mod hbs_verify;
mod keccak;
mod model;
pub mod registers;
pub mod sha3;
pub mod sha3_job;
pub mod xmss;

pub use ed25519_core::Ed25519Core;
pub use error::Error;
pub use keccak::RtlKeccak;

use hasten_kernels::Kernels;

/// Whether the models were built.
pub const BUILT: bool = cfg!(verilated);

/// Name of the Keccak core as a backend.
pub const KECCAK: &str = "rtl:keccak";

/// Name of the Ed25519 core. It is not a backend of kernels, but signs and verifies by itself.
pub const ED25519: &str = "rtl:ed25519";

/// Name of the XMSS engine, which also signs and verifies by itself.
pub const XMSS: &str = "rtl:xmss";

/// Returns the bundle with this name: `rtl:keccak` has the simulated core for Keccak, and the CPU's
/// best backends for the rest. The model lives as long as the program.
///
/// # Errors
/// [`Error::UnknownBackend`], [`Error::NotBuilt`].
pub fn named(name: &str) -> Result<Kernels<'static>, Error> {
    counted(name).map(|(kernels, _)| kernels)
}

/// Like [`named`], but also returns the core, which reports its clock cycles.
///
/// # Errors
/// As [`named`].
pub fn counted(name: &str) -> Result<(Kernels<'static>, &'static RtlKeccak), Error> {
    if name != KECCAK {
        return Err(Error::UnknownBackend);
    }
    let core: &'static RtlKeccak = Box::leak(Box::new(RtlKeccak::new()?));
    Ok((Kernels { keccak: core, ..Kernels::best() }, core))
}
