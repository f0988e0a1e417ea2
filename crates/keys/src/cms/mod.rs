//! Signatures with a certificate beside them: SignedData of CMS (RFC 5652).
//!
//! Keys of HSS/LMS sign as RFC 9708 says, of ML-DSA as RFC 9882, of SLH-DSA as RFC 9814: in pure
//! mode, over attributes that hold the digest of the content. So a content of any length is read
//! once, and a key with a state signs a few hundred bytes.
//!
//! [`Unsigned`] says what is to be signed, and takes the signature from whoever made it;
//! [`SignedData`] reads and verifies.
//!
#![cfg_attr(feature = "sign", doc = "```")]
#![cfg_attr(not(feature = "sign"), doc = "```ignore")]
//! use hasten_kernels::Kernels;
//! use hasten_keys::{cms, registry, stateless};
//!
//! let kernels = Kernels::best();
//! let key = stateless::generate(registry::find("SLH-DSA-SHA2-128f")?, kernels)?;
//! let signer = stateless::Signer::new(&key, kernels)?;
//! let public = signer.public_key();
//!
//! let content = cms::Content::read(public, &mut &b"firmware"[..], cms::Place::Attached)?;
//! let unsigned = cms::Unsigned::new(public, content, &cms::Signer::default())?;
//! let signature = signer.sign(unsigned.message())?;
//! let der = unsigned.finish(&signature)?;
//!
//! let signed = cms::SignedData::read(&der)?;
//! let good = signed.verify(cms::By::Key(public), None, kernels)?;
//! assert_eq!(good.digest, Some(cms::Digest::Sha256));
//! assert_eq!(signed.content(), Some(&b"firmware"[..]));
//! # Ok::<(), hasten_keys::Error>(())
//! ```

mod attributes;
mod digest;
mod read;
mod sign;
mod signer;
mod verify;

pub use digest::Digest;
pub use read::SignedData;
pub use sign::{Content, MOST_ATTACHED, Place, Unsigned};
pub use signer::{Named, Signer};
pub use verify::{By, Good};

/// The label in PEM (RFC 7468).
pub const LABEL: &str = "CMS";

/// The content of an octet string: id-data.
const DATA: &str = "1.2.840.113549.1.7.1";
/// SignedData: id-signedData.
const SIGNED_DATA: &str = "1.2.840.113549.1.7.2";
