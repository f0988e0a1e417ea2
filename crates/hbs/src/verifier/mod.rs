//! Verification, without preparation and at the levels of the preparation ladder.

mod hss;
mod leaves;
mod level;
mod node_cache;
mod one_time_signatures;
mod plain;
mod prepared;
mod signed_keys;
mod single_tree;

pub use leaves::LeafVerifier;
pub use level::VerifierLevel;
pub use one_time_signatures::{OneTimeSignature, one_time_signatures};
pub use plain::{Verification, Verifier};
pub use prepared::PreparedVerifier;
pub use single_tree::MOST_PENDING;
