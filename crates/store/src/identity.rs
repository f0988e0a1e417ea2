//! Which key a state, a guard or a service belongs to.

use crate::error::StoreError;
use crate::log::Log;
use crate::options::Options;
use std::path::Path;
use std::sync::Arc;

/// Names a key: what its files and its state are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Random, given when the key's store was made; shared by all its shards and signers.
    pub key_id: [u8; 16],
    /// SHA-256 of the public key; all zero until it was bound.
    pub public: [u8; 32],
}

impl Identity {
    /// Returns whether a public key was bound.
    pub fn is_bound(&self) -> bool {
        self.public != [0; 32]
    }

    /// Returns whether both public keys are known and differ: then one of two things belongs to
    /// another key.
    pub fn contradicts(&self, public: &[u8; 32]) -> bool {
        self.is_bound() && *public != [0; 32] && self.public != *public
    }
}

impl Options {
    /// Returns which key the store in `dir` is of, without opening it.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_identity(&self, dir: impl AsRef<Path>) -> Result<Identity, StoreError> {
        Ok(Log::look(&*self.env, dir.as_ref())?.1.state.identity())
    }

    /// Returns fresh options that stand on the same world: to look at files beside a store that
    /// these will open.
    pub fn beside(&self) -> Options {
        Options::new().env(Arc::clone(&self.env))
    }
}
