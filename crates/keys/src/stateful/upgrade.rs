//! Upgrade of the files of a key from the old format to the current one, under the store's lock.
//!
//! The old format did not record the identity of the key. Its files are accepted one last time, and
//! the scheme checks them against the public key before anything is written. Each file is replaced
//! as a whole; the last step binds the store to the public key. Until then files of both formats
//! are accepted, so the next opening continues an interrupted upgrade. Afterwards files of the old
//! format are refused.

use hasten_store::Store;
use sha2::{Digest, Sha256};

use super::{Kept, blob, means::Means, nodes::Nodes};
use crate::Error;

/// Performs the remaining steps of the upgrade. Returns true if there were any.
pub(super) fn bring_up(
    store: &mut Store,
    nodes: &Nodes,
    means: &Means<'_>,
    kept: &Kept,
) -> Result<bool, Error> {
    if store.identity().is_bound() {
        return Ok(false);
    }
    renew_secret(store, kept)?;
    nodes.renew(store, means)?;
    store.bind(Sha256::digest(means.public_bytes()).into())?;
    Ok(true)
}

/// Replaces a secret file of the old format by one in the current format, bound to the key. Does
/// nothing if an earlier upgrade has already replaced it.
pub(super) fn renew_secret(store: &Store, kept: &Kept) -> Result<(), Error> {
    match &kept.renewed {
        Some(file) => Ok(store.supersede_blob(blob::SECRET, file)?),
        None => Ok(()),
    }
}
