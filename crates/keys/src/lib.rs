//! Algorithms by name and number, keys in every encoding, and identification of files.
//!
//! - [`registry`]: one row per algorithm.
//! - [`choice`]: choice of a parameter set for a purpose.
//! - [`encoding`]: public keys as SPKI, PEM and raw bytes, private keys as PKCS#8.
//! - [`inspect`]: identification of arbitrary bytes; safe on hostile input.
//! - [`stateful`]: keys whose indices come from a store and are never used twice.
//! - `audit`: comparison of signatures with the signing record of such a key.
//! - [`stateless`], [`kem`]: keys in files, for signing and for encapsulation.
//! - [`verify`]: one call for every algorithm.
//! - `prehash`: signing of a digest instead of a message.
//! - `enclosed`: CMS, COSE and boot images before they are signed.
//! - `found`: a signature in a file of unknown format.
//! - `scan`: signatures of one key in a set of files, and detection of reused indices.
//! - `x509`: certificates: issuing, requests, paths.
//! - `cms`: CMS SignedData: signatures together with certificates.
//! - `cose`: signatures in CBOR, as COSE_Sign1.
//! - `dual`: two signatures of one message in one file, valid only together.
//! - [`ed25519`]: the stateless signatures of RFC 8032.

#[cfg(all(feature = "sign", feature = "x509"))]
pub mod audit;
#[cfg(feature = "aws-lc")]
mod aws;
pub mod boot;
pub mod choice;
#[cfg(feature = "x509")]
pub mod cms;
#[cfg(feature = "x509")]
pub mod cose;
mod decapsulator;
mod decoded;
#[cfg(feature = "sign")]
pub mod dual;
pub mod ed25519;
mod encapsulated;
#[cfg(feature = "x509")]
pub mod enclosed;
pub mod encoding;
mod error;
#[cfg(feature = "sign")]
mod expanded;
#[cfg(feature = "legacy")]
mod falcon;
pub mod fit;
mod form;
#[cfg(feature = "x509")]
pub mod found;
pub mod inspect;
pub mod kem;
mod kind;
#[cfg(any(feature = "sign", feature = "x509"))]
pub mod prehash;
pub mod registry;
#[cfg(feature = "legacy")]
mod round3;
#[cfg(all(feature = "sign", feature = "x509"))]
pub mod scan;
mod scheme;
mod slh_dsa;
#[cfg(feature = "sign")]
pub mod stateful;
pub mod stateless;
mod suggest;
mod variant;
pub mod verify;
#[cfg(feature = "x509")]
pub mod x509;

#[cfg(feature = "sign")]
pub use error::ForeignError;
pub use error::{Error, KeyFile};
pub use suggest::nearest;
