//! Hash-based signatures in a few lines, with keys whose state is never used twice.
//!
//! The crate has four parts. Each is a thin layer over the crate that does the work:
//!
//! - [`StatefulKey`]: XMSS, XMSS^MT, LMS and HSS keys (RFC 8391, RFC 8554, SP 800-208). Every index
//!   is reserved durably before it signs. The slow part of a signature can be
//!   [prepared](StatefulKey::prepare) before the message exists.
//! - [`Key`]: stateless keys, SLH-DSA (FIPS 205) and Ed25519 (RFC 8032). The feature `aws-lc` adds
//!   ML-DSA, ECDSA and RSA.
//! - [`PublicKey`]: public keys, read from PEM, DER or raw bytes by [`read_public`].
//! - [`verify`]: verification of a signature by any of these keys.
//!
//! Sign and verify with a stateful key:
//!
//! ```
//! use hasten_pq::{StatefulKey, verify};
//!
//! # let dir = tempfile::tempdir()?;
//! # let (store, guard) = (dir.path().join("fw"), dir.path().join("fw.guard"));
//! let mut key = StatefulKey::generate("LMS_SHA256_M24_H5_W8", &store, &guard)?;
//! let signature = key.sign(b"firmware 1.2")?;
//! verify(key.public_key(), b"firmware 1.2", &signature)?;
//! assert!(verify(key.public_key(), b"firmware 6.6", &signature).is_err());
//! key.close()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A restored backup of a key is refused, because the guard has advanced since the backup was made:
//!
//! ```
//! use hasten_pq::{StatefulKey, verify};
//! # let dir = tempfile::tempdir()?;
//! # let (store, guard) = (dir.path().join("fw"), dir.path().join("fw.guard"));
//! # let backup = dir.path().join("backup");
//! # StatefulKey::generate("LMS_SHA256_M24_H5_W8", &store, &guard)?.close()?;
//! # let copy = |from: &std::path::Path, to: &std::path::Path| -> std::io::Result<()> {
//! #     std::fs::create_dir_all(to)?;
//! #     for file in std::fs::read_dir(from)? {
//! #         let file = file?;
//! #         std::fs::copy(file.path(), to.join(file.file_name()))?;
//! #     }
//! #     Ok(())
//! # };
//! copy(&store, &backup)?;
//! let mut key = StatefulKey::open(&store)?;
//! key.sign(b"firmware 1.3")?;
//! key.close()?;
//! copy(&backup, &store)?;
//! assert!(StatefulKey::open(&store).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod key;
mod stateful;

pub use hasten_hbs as hbs;
pub use hasten_kernels as kernels;
pub use hasten_keys as keys;
pub use hasten_store as store;

pub use hasten_hbs::SignerLevel;
pub use hasten_keys::{
    Error,
    encoding::PublicKey,
    stateful::{Note, Purpose},
};

pub use key::{Key, read_public, verify};
pub use stateful::{Prepared, StatefulKey};

/// The README of the repository, whose example is tested here.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
