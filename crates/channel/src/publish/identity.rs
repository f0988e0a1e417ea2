//! Keys that sign session trees.

use hasten_hbs::PublicKey;
use hasten_keys::registry::Family;
use hasten_keys::stateful::{Sessions, SignedTree};

/// Signs the public keys of session trees, each with an index that is durably reserved before.
pub trait Identity: Send {
    /// Returns the public key: one of HSS that counts the level of the session trees, or one of
    /// XMSS or XMSS^MT.
    ///
    /// # Errors
    /// When the key cannot be read.
    fn public_key(&self) -> Result<PublicKey, hasten_keys::Error>;

    /// Returns how many session trees it can still sign.
    fn remaining(&self) -> u64;

    /// Signs the public key of a session tree, in the form that [`SignedTree`] tells.
    ///
    /// # Errors
    /// When no index is left or none can be reserved; nothing was signed then.
    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, hasten_keys::Error>;

    /// Ends its use. A dropped identity ends it too, but an error is told to nobody then.
    ///
    /// # Errors
    /// When the account of the key could not be written.
    fn close(self: Box<Self>) -> Result<(), hasten_keys::Error> {
        Ok(())
    }
}

impl Identity for Sessions<'_> {
    fn public_key(&self) -> Result<PublicKey, hasten_keys::Error> {
        let key = Sessions::public_key(self)?;
        Ok(match key.row.family {
            Family::Xmss => PublicKey::from_xmss_bytes(&key.raw)?,
            Family::XmssMt => PublicKey::from_xmssmt_bytes(&key.raw)?,
            _ => PublicKey::from_hss_bytes(&key.raw)?,
        })
    }

    fn remaining(&self) -> u64 {
        self.status().remaining
    }

    fn close(self: Box<Self>) -> Result<(), hasten_keys::Error> {
        Sessions::close(*self).map(drop)
    }

    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, hasten_keys::Error> {
        Sessions::sign_tree(self, tree)
    }
}
