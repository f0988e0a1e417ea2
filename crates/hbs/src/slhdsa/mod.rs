//! SLH-DSA: FIPS 205 (Stateless Hash-Based Digital Signature Standard, 2024).
//!
//! The slow part is the same few functions over thousands of values, so everything runs in
//! batches: all FORS trees together, all layers of the hypertree together when signing, many
//! signatures together in [`verify_many`].
//!
//! Keys of the sets of SP 800-230 may sign a limited number of times, so they count their
//! signatures. [`LimitedGeneration`] generates such a key, and [`LimitedSigner`] signs with it.

mod address;
mod auth_path;
#[cfg(feature = "sign")]
mod forest;
mod fors;
mod hashes;
mod hypertree;
#[cfg(feature = "sign")]
mod limited;
mod message;
mod prehash;
#[cfg(feature = "sign")]
mod signing_key;
#[cfg(feature = "sign")]
mod tree_batch;
mod verifying_key;

#[cfg(feature = "sign")]
pub use limited::{LimitedGeneration, LimitedPrepared, LimitedSigner};
pub use prehash::PreHash;
#[cfg(feature = "sign")]
pub use signing_key::SigningKey;
pub use verifying_key::{Claim, VerifyingKey, verify_many, verify_many_on};

use crate::Error;
use crate::params::{Scheme, Set};

/// Returns the size in bytes of the digest that a set signs, m.
pub(crate) const fn digest_bytes(set: &Set) -> usize {
    let shape = shape(set);
    message::digest_bytes(set, shape.a, shape.k)
}

/// Returns the FORS shape of a set.
const fn shape(set: &Set) -> fors::Shape {
    match set.scheme {
        Scheme::SlhDsa { a, k } => fors::Shape { a, k },
        _ => panic!("a set of SLH-DSA"),
    }
}

/// The context that is signed with the message: ctx of FIPS 205, Algorithm 22 (slh_sign).
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    front: [u8; 2],
    bytes: &'c [u8],
}

impl<'c> Context<'c> {
    /// The empty context.
    pub const EMPTY: Context<'static> = Context { front: [0, 0], bytes: &[] };

    /// Returns a context of at most 255 bytes.
    ///
    /// # Errors
    /// [`Error::LongContext`] if it is longer.
    pub const fn new(bytes: &'c [u8]) -> Result<Self, Error> {
        if bytes.len() > 255 {
            return Err(Error::LongContext);
        }
        Ok(Self { front: [0, bytes.len() as u8], bytes })
    }

    /// Returns the bytes before the message: none in round 3.1, which has no context.
    ///
    /// # Errors
    /// [`Error::LongContext`] if there is a context although round 3.1 has none.
    fn before(&self, set: &Set) -> Result<[&[u8]; 2], Error> {
        match (set.round31, self.bytes.is_empty()) {
            (false, _) => Ok([&self.front, self.bytes]),
            (true, true) => Ok([&[], &[]]),
            (true, false) => Err(Error::LongContext),
        }
    }
}
