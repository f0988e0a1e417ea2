//! Hash-based signatures with the slow part done before the message exists.
//!
#![cfg_attr(feature = "hazmat", doc = "```")]
#![cfg_attr(not(feature = "hazmat"), doc = "```ignore")]
//! use hasten_hbs::hazmat::Throwaway; // a key that outlives the process needs a store
//! use hasten_hbs::{Set, SignerLevel, Verifier, generate};
//! use hasten_kernels::Kernels;
//!
//! let set = Set::named("XMSS-SHA2_10_256")?;
//! let seed = [7; 96]; // SK_SEED, SK_PRF, PUB_SEED: from a random generator, of course
//! let kernels = Kernels::best();
//! let mut signer = generate(set, &seed, kernels)?;
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
//! | [`Set`], [`params::SETS`] | the table of parameter sets; sizes are computed from its rows |
//! | [`generate`], [`KeyGeneration`], [`load`] | make a [`Signer`] from a seed, for every scheme |
//! | [`Sectors`], [`load_sectors`] | parts of a key with their own seeds and one public key |
//! | [`Signer::prepare`] | a [`Permit`] becomes a [`Prepared`], at a [`SignerLevel`] |
//! | [`Prepared::finish`] | the message becomes a [`Signature`]; the prepared object is consumed |
//! | [`Verifier`], [`PreparedVerifier`] | stateless, or prepared to a [`VerifierLevel`] |
//! | [`SigningKey`] | implements `signature::SignerMut` over a source of permits |
//!
//! Randomness is an argument: the crate does not read files, clocks or the random generator of the
//! system. Without the feature `std` it needs only `alloc`; without `sign` it only verifies.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod counted;
mod error;
mod hash;
#[cfg(all(feature = "sign", feature = "hazmat"))]
pub mod hazmat;
#[cfg(feature = "sign")]
mod hss;
mod key;
mod lms;
mod one_time;
pub mod params;
#[cfg(feature = "sign")]
mod scrub;
#[cfg(feature = "sign")]
mod secret;
pub mod sequential;
mod signer;
pub mod slhdsa;
#[cfg(all(test, feature = "sign"))]
mod tests;
mod tree;
mod verifier;
mod xmss;

pub use error::Error;
pub use key::{PublicKey, Signature};
#[cfg(feature = "sign")]
pub use key::{Sectors, most_sectors};
pub use params::Set;
pub use signer::SignerLevel;
pub use signer::permit::{Account, Index, Permit};
#[cfg(feature = "sign")]
pub use signer::{
    KeyGeneration, Permits, Prepared, Signer, SigningKey, Spent, generate, load, load_levels,
    load_sectors, load_with_growth,
};
#[cfg(feature = "sign")]
pub use tree::build::Progress;
pub use verifier::{
    LeafVerifier, MOST_PENDING, OneTimeSignature, PreparedVerifier, Verification, Verifier,
    VerifierLevel, one_time_signatures,
};
