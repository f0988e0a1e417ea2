//! Keys that sign session trees.

use hasten_hbs::PublicKey;
use hasten_keys::registry::Family;
use hasten_keys::stateful::{Sessions, SignedTree};

/// A key that signs the public keys of session trees, each with an index that is durably reserved
/// first.
pub trait Identity: Send {
    /// Returns the public key: an HSS key whose levels include that of the session trees, or an
    /// XMSS or XMSS^MT key.
    ///
    /// # Errors
    /// If the key cannot be read.
    fn public_key(&self) -> Result<PublicKey, hasten_keys::Error>;

    /// Returns the number of session trees that it can still sign.
    fn remaining(&self) -> u64;

    /// Signs the public key of a session tree, in the form that [`SignedTree`] describes.
    ///
    /// # Errors
    /// If no index is left or none can be reserved. Nothing was signed then.
    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, hasten_keys::Error>;

    /// Ends the use of the identity. Dropping it does so too, but without returning an error.
    ///
    /// # Errors
    /// If the status of the key could not be written.
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
