//! Keys that sign session trees.

use hasten_hbs::PublicKey;
use hasten_keys::stateful::{Sessions, SignedTree};

/// Signs the public keys of session trees, each with an index that is durably reserved before.
pub trait Identity: Send {
    /// Returns the public key, one of HSS that counts the level of the session trees.
    ///
    /// # Errors
    /// When the key cannot be read.
    fn public_key(&self) -> Result<PublicKey, hasten_keys::Error>;

    /// Returns how many session trees it can still sign.
    fn remaining(&self) -> u64;

    /// Signs the public key of a session tree.
    ///
    /// # Errors
    /// When no index is left or none can be reserved; nothing was signed then.
    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, hasten_keys::Error>;
}

impl Identity for Sessions<'_> {
    fn public_key(&self) -> Result<PublicKey, hasten_keys::Error> {
        Ok(PublicKey::from_hss_bytes(&Sessions::public_key(self)?.raw)?)
    }

    fn remaining(&self) -> u64 {
        self.status().remaining
    }

    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, hasten_keys::Error> {
        Sessions::sign_tree(self, tree)
    }
}
