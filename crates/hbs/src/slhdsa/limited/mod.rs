//! Keys for a limited number of signatures: the initial public draft of SP 800-230.
//!
//! The sets have one tall tree in place of a hypertree. Key generation computes the row of its
//! nodes at one height, which is public and is stored with the key. The nodes above are hashed
//! once, when the key is loaded. A signature hashes its FORS trees and the few leaves below one
//! node of the row, but nothing above.
//!
//! Each signature beyond the limit lowers the security of all signatures of the key, slowly. A
//! signature is therefore made with a [`Permit`](crate::Permit), as with a stateful key. Its index
//! is counted, but is not part of the signature, which any verifier of the set accepts.

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
