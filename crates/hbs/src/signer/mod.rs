//! The preparation ladder of a signer: how much of a signature is done before the message exists.

mod level;
pub(crate) mod permit;
#[cfg(feature = "sign")]
mod prepared;
#[cfg(feature = "sign")]
mod shared;
#[cfg(feature = "sign")]
mod stateful;

pub use level::{SignerLevel, VerifierLevel};
#[cfg(feature = "sign")]
pub use prepared::Prepared;
#[cfg(feature = "sign")]
pub use stateful::{Permits, Signer, SigningKey};
