//! The hardware cores of `rtl/` from Rust: what is generated for them, exact models, and simulation
//! by Verilator, the gates behind the same seams as the CPU's backends.
//!
//! [`RtlKeccak`] is a [`Keccak`](hasten_kernels::Keccak) backend; [`sha3::Sha3Unit`] is the SHA-3
//! unit, port by port, and [`sha3_job`] sends whole messages through it; [`Ed25519Core`] and
//! [`xmss::XmssCore`] are whole cores, which sign by themselves; [`engine::Engine`] is the latter
//! for a key; [`hbs_verify::RtlHbsVerify`] is a core on its bus, for its driver. Every call of the
//! others also tells how many clock cycles it took. Without the pinned Verilator
//! (`cargo xtask hw tools`) the crate builds, and every `new` says [`Error::NotBuilt`].

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

/// True if the models were built.
pub const BUILT: bool = cfg!(verilated);

/// The name of the Keccak core as a backend.
pub const KECCAK: &str = "rtl:keccak";

/// The name of the Ed25519 core, which is no backend of kernels: it signs and verifies by itself.
pub const ED25519: &str = "rtl:ed25519";

/// The name of the XMSS engine, which signs and verifies by itself too.
pub const XMSS: &str = "rtl:xmss";

/// Returns the bundle of that name: `rtl:keccak` is the simulated core for Keccak, with the CPU's
/// best for the rest. The model lives as long as the program.
///
/// # Errors
/// [`Error::UnknownBackend`], [`Error::NotBuilt`].
pub fn named(name: &str) -> Result<Kernels<'static>, Error> {
    counted(name).map(|(kernels, _)| kernels)
}

/// Returns the same, with the core itself, which tells its clock cycles.
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
