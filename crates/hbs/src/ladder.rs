//! The preparation ladder: how much of a signature, or of its verification, is done before the
//! message exists.

mod cache;
mod level;
mod levels;
#[cfg(feature = "sign")]
mod prepared;
#[cfg(feature = "sign")]
mod shared;
#[cfg(feature = "sign")]
mod signer;
mod verifier;
mod watch;

pub use level::{SignerLevel, VerifierLevel};
#[cfg(feature = "sign")]
pub use prepared::Prepared;
#[cfg(feature = "sign")]
pub use signer::{Permits, Signer, SigningKey};
pub use verifier::PreparedVerifier;
pub use watch::MOST_PENDING;
