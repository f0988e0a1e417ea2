//! Hash-based signatures with the slow part done before the message exists.
//!
#![cfg_attr(feature = "hazmat", doc = "```")]
#![cfg_attr(not(feature = "hazmat"), doc = "```ignore")]
//! use hasten_hbs::hazmat::Throwaway; // a key that outlives the process needs a store
//! use hasten_hbs::{Set, SignerLevel, Verifier, xmss};
//! use hasten_kernels::Kernels;
//!
//! let set = Set::named("XMSS-SHA2_10_256")?;
//! let seed = [7; 96]; // SK_SEED, SK_PRF, PUB_SEED: from a random generator, of course
//! let kernels = Kernels::best();
//! let mut signer = xmss::generate(set, &seed, kernels)?;
//!
//! // Before the message exists: everything that does not depend on it.
//! let mut permits = Throwaway::new();
//! let prepared = signer.prepare(permits.permit(), SignerLevel::ChainTable)?;
//!
//! // The message is here: two compressions and a look-up.
//! let signature = prepared.finish(b"brake now")?;
//!
//! let verifier = Verifier::new(signer.public_key(), kernels);
//! verifier.verify(b"brake now", signature.as_bytes())?;
//! assert!(verifier.verify(b"brake not", signature.as_bytes()).is_err());
//! # Ok::<(), hasten_hbs::Error>(())
//! ```
//!
//! | part | what it is |
//! |---|---|
//! | [`Set`], [`params::SETS`] | the one table of parameter sets, sizes computed from rows |
//! | [`xmss::KeyGeneration`], [`xmss::load`] | from a seed to a [`Signer`] |
//! | [`Sectors`], [`xmss::load_sectors`] | parts of a key with seeds of their own, one public key |
//! | [`Signer::prepare`] | a [`Permit`] becomes a [`Prepared`], at a [`SignerLevel`] |
//! | [`Prepared::finish`] | the message becomes a [`Signature`]; the prepared object is used up |
//! | [`Verifier`], [`PreparedVerifier`] | without state, and at a [`VerifierLevel`] |
//! | [`SigningKey`] | `signature::SignerMut` over a source of permits |
//!
//! Randomness is an argument: nothing here reads files, clocks or the system's generator. Without
//! the feature `std` the crate needs `alloc` only; without `sign` it verifies only.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod address;
#[cfg(feature = "sign")]
mod build;
mod climb;
#[cfg(all(test, feature = "sign", feature = "std"))]
mod counts;
mod digits;
mod error;
#[cfg(feature = "sign")]
mod forest;
mod hash;
#[cfg(all(feature = "sign", feature = "hazmat"))]
pub mod hazmat;
pub mod hss;
#[cfg(feature = "sign")]
mod keys;
mod ladder;
pub mod lms;
mod merkle;
#[cfg(feature = "sign")]
mod multi;
mod onetime;
pub mod params;
mod permit;
mod public_key;
#[cfg(feature = "sign")]
mod scrub;
#[cfg(feature = "sign")]
mod secret;
#[cfg(feature = "sign")]
mod sectors;
#[cfg(feature = "sign")]
mod seedling;
mod signature;
pub mod slhdsa;
#[cfg(feature = "sign")]
mod slow;
#[cfg(feature = "sign")]
mod subtree;
#[cfg(feature = "sign")]
mod traversal;
mod verify;
#[cfg(feature = "sign")]
mod voucher;
pub mod xmss;

pub use self::signature::Signature;
#[cfg(feature = "sign")]
pub use build::Progress;
pub use error::Error;
pub use ladder::{MOST_PENDING, PreparedVerifier, SignerLevel, VerifierLevel};
#[cfg(feature = "sign")]
pub use ladder::{Permits, Prepared, Signer, SigningKey};
pub use params::Set;
pub use permit::{Account, Index, Permit};
pub use public_key::PublicKey;
#[cfg(feature = "sign")]
pub use sectors::{Sectors, most_sectors};
pub use verify::{Verification, Verifier};
