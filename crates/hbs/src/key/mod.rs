//! Keys: their trees, their sectors, their encodings.

#[cfg(feature = "sign")]
pub(crate) mod active_tree;
#[cfg(feature = "sign")]
pub(crate) mod from_seed;
#[cfg(feature = "sign")]
pub(crate) mod layered_key;
#[cfg(feature = "sign")]
pub(crate) mod next_tree;
mod public_key;
#[cfg(feature = "sign")]
mod sectors;
pub(crate) mod signature;
#[cfg(feature = "sign")]
pub(crate) mod upper_signature;

pub use public_key::PublicKey;
#[cfg(feature = "sign")]
pub use sectors::{Sectors, most_sectors};
pub use signature::Signature;
