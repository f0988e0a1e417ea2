//! Which key a state, a guard or a service belongs to.

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
