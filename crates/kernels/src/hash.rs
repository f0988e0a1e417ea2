//! The rounds, each written once over a vector word.

pub(crate) mod keccak;
pub(crate) mod sha2;
pub(crate) mod sha256;
pub(crate) mod sha512;
