//! Hasten behind a border of C: `include/hasten.h`, a shared and a static library.
//!
//! - [`verify`]: one call, without a state.
//! - [`key`]: a key with a state: make, open, sign, what remains, close.
//! - [`status`]: what every call returns, and its sentence.
//!
//! This crate adds no behaviour: it turns pointers into slices, panics into a status, and errors
//! into a status and a sentence. Above the kernels only this crate and `pkcs11` hold `unsafe`; each
//! function says what its caller promises.

mod border;
pub mod key;
#[cfg(test)]
#[path = "../../hasten/tests/recorded/mod.rs"]
mod recorded;
pub mod status;
pub mod verify;

#[cfg(test)]
use hasten_pq::store;
