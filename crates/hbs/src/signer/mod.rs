//! Signers: key generation and loading, permits, and the preparation ladder, which defines how much
//! of a signature is done before the message exists.

#[cfg(feature = "sign")]
mod generation;
mod level;
#[cfg(feature = "sign")]
mod loading;
pub(crate) mod permit;
#[cfg(feature = "sign")]
mod prepared;
#[cfg(feature = "sign")]
mod shared;
#[cfg(feature = "sign")]
mod stateful;

#[cfg(feature = "sign")]
pub use generation::{KeyGeneration, generate};
pub use level::SignerLevel;
#[cfg(feature = "sign")]
pub use loading::{load, load_levels, load_sectors, load_with_growth};
#[cfg(feature = "sign")]
pub use prepared::{Prepared, Spent};
#[cfg(feature = "sign")]
pub use stateful::{Permits, Signer, SigningKey};
