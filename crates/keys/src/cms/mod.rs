//! Signatures together with certificates: CMS SignedData (RFC 5652).
//!
//! HSS/LMS keys sign according to RFC 9708, ML-DSA keys according to RFC 9882, SLH-DSA keys
//! according to RFC 9814. All sign in pure mode over attributes that contain the digest of the
//! content. A content of any length is therefore read once, and a stateful key signs a few hundred
//! bytes.
//!
//! [`Unsigned`] provides the bytes to sign and accepts the signature from any signer.
//! [`SignedData`] parses and verifies.
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

/// PEM label (RFC 7468).
pub const LABEL: &str = "CMS";

/// The content type of plain bytes: id-data.
const DATA: &str = "1.2.840.113549.1.7.1";
/// The content type of SignedData: id-signedData.
const SIGNED_DATA: &str = "1.2.840.113549.1.7.2";
