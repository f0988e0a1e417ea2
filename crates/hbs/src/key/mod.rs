//! Keys: their encodings, their trees, their generation.

#[cfg(feature = "sign")]
pub(crate) mod generation;
#[cfg(feature = "sign")]
pub(crate) mod key_trees;
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
