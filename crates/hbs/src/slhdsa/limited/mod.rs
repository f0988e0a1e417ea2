//! Keys for a limited number of signatures: the initial public draft of SP 800-230.
//!
//! The sets have one tall tree in place of a hypertree. Key generation makes the row of its nodes
//! at one height, which is public and is kept with the key; the nodes above are hashed once, when
//! the key is loaded. A signature hashes its FORS trees and the few leaves under one node of the
//! row, and nothing above.
//!
//! More signatures than the limit lose security, slowly and for every signature of the key.
//! A signature is therefore made with a [`Permit`](crate::Permit), as of a key with a state. Its
//! index is counted and takes no part in the signature, which any verifier of the set accepts.

mod generation;
mod signer;
mod tall;

pub use generation::LimitedGeneration;
pub use signer::{LimitedPrepared, LimitedSigner};

use crate::Error;
use crate::params::{Scheme, Set};

/// Refuses sets that have no limit.
fn check(set: &Set) -> Result<(), Error> {
    let limited = matches!(set.scheme, Scheme::SlhDsa { .. }) && set.limit.is_some() && set.d == 1;
    if limited { Ok(()) } else { Err(Error::UnknownSet) }
}

#[cfg(all(test, feature = "std", feature = "hazmat", feature = "toy"))]
mod tests;
