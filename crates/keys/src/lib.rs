//! Algorithms by name and number, keys in every encoding, and what a file is.
//!
//! - [`registry`]: one row per algorithm.
//! - [`encoding`]: public keys as SPKI, PEM and raw bytes, private keys as PKCS#8.
//! - [`inspect`]: says what any bytes are; total on hostile input.
//! - [`ed25519`]: the stateless signatures of RFC 8032.

pub mod ed25519;
pub mod encoding;
mod error;
pub mod inspect;
pub mod registry;

pub use error::Error;
